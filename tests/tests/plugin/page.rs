//! The settings page in a real browser, in the real web host.

use anyhow::Result;
use end_to_end::{Env, Home, RunOptions, Scene, ScriptedModel, Web};

use crate::support::{fact, unit};

#[tokio::test]
async fn the_section_stands_in_the_hosts_settings() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let Some(scene) = Scene::find(&env, "look.mjs") else { return Ok(()) };
    let home = Home::new(&env, "page")?;
    home.install("web", &env.tarball).await?;
    home.write_unit(&unit(&[fact("one", &home.workspace(), "Builds use pnpm")], &[]))?;
    let model = ScriptedModel::start(Vec::new()).await?;
    let web = Web::start(&home, &model, RunOptions::default()).await?;
    println!("{}", scene.tell("URL_OF_HOST", web.url()).play().await?);
    web.stop().await?;
    Ok(())
}
