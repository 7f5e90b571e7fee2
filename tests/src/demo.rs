//! The demo.

use anyhow::Result;

use crate::Env;

/// Runs it.
pub async fn run(_env: &Env) -> Result<()> {
    Ok(())
}
