//! The route of the settings page, in the web profile.

use anyhow::{Context as _, Result};
use end_to_end::{Env, Home, RunOptions, ScriptedModel, Web};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{fact, holds, unit};

const OURS: &str = "X-Dsh-Native-Memory: 1\r\n";

async fn ask(web: &Web, method: &str, host: Option<&str>, headers: &str) -> Result<String> {
    let address = web.url().strip_prefix("http://").context("no address")?;
    let address = address.trim_end_matches('/').split('/').next().unwrap_or_default();
    let mut stream = TcpStream::connect(address).await?;
    let host = host.unwrap_or(address);
    let request = format!(
        "{method} /dsh-native-memory/facts HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    Ok(response)
}

#[tokio::test]
async fn only_the_hosts_own_page_reads_what_is_remembered() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let home = Home::new(&env, "web-route")?;
    home.install("web", &env.tarball).await?;
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let row = fact("one", &home.workspace(), &format!("private {token}"));
    home.write_unit(&unit(&[row], &[]))?;
    let model = ScriptedModel::start(Vec::new()).await?;
    let web = Web::start(&home, &model, RunOptions::default()).await?;

    let ours = ask(&web, "GET", None, OURS).await?;
    holds(&ours, "HTTP/1.1 200")?;
    holds(&ours, "no-store")?;
    holds(&ours, "nosniff")?;
    holds(&ours, "private [REDACTED]")?;
    assert!(!ours.contains(&token));
    let head = ask(&web, "HEAD", None, OURS).await?;
    holds(&head, "HTTP/1.1 200")?;
    assert!(head.ends_with("\r\n\r\n"), "HEAD has no body");
    holds(&ask(&web, "POST", None, OURS).await?, "HTTP/1.1 405")?;

    for (host, headers) in [
        (None, String::new()),
        (Some("evil.example"), OURS.to_owned()),
        (None, format!("{OURS}Origin: http://127.0.0.1:1\r\n")),
        (None, format!("{OURS}Sec-Fetch-Site: same-site\r\n")),
    ] {
        let refused = ask(&web, "GET", host, &headers).await?;
        holds(&refused, "HTTP/1.1 403")?;
        assert!(!refused.contains("private"), "{host:?} {headers}");
    }
    web.stop().await?;
    Ok(())
}
