//! End-to-end tests: the plugin in the real host, with a scripted model.
//!
//! This library is the harness. `cargo xtask test` installs the host, builds
//! the plugin and tells the tests where both are; see [`Env`].

pub mod demo;
mod env;

pub use env::Env;
