//! End-to-end tests: the plugin in the real host, with a scripted model.
//!
//! This library is the harness. `cargo xtask test` installs the host, builds
//! the plugin and tells the tests where both are; see [`Env`]. A test makes a
//! [`Home`], installs the plugin, starts a [`ScriptedModel`] and runs sessions:
//!
//! ```no_run
//! use end_to_end::{Answer, Env, Home, RunOptions, ScriptedModel, Step};
//! use serde_json::json;
//!
//! # async fn example() -> anyhow::Result<()> {
//! let Some(env) = Env::find() else { return Ok(()) };
//! let home = Home::new(&env, "remember")?;
//! home.install("headless", &env.tarball).await?;
//! let model = ScriptedModel::start([
//!     Step::tool("memory_remember", json!({ "text": "Builds use pnpm" })),
//!     Step::text("Noted."),
//! ])
//! .await?;
//! let options = RunOptions { answers: vec![Answer::allow()], ..RunOptions::default() };
//! let run = home.run(&model, options).await?.succeeded()?;
//! assert_eq!(run.asks.len(), 1);
//! println!("{}", model.tool_results()[0].text);
//! # Ok(())
//! # }
//! ```

mod approval;
mod browser;
pub mod demo;
mod env;
mod host;
mod log;
mod model;
mod overlay;
mod web;

pub use approval::Answer;
pub use approval::Ask;
pub use approval::Outcome;
pub use browser::Scene;
pub use env::Browser;
pub use env::Env;
pub use host::Home;
pub use host::Run;
pub use host::RunOptions;
pub use host::UNIT;
pub use host::file_url;
pub use log::SessionLog;
pub use model::Request;
pub use model::ScriptedModel;
pub use model::Step;
pub use model::ToolResult;
pub use overlay::Patch;
pub use web::Web;
