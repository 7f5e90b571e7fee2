//! The one place that knows `dsh`.
//!
//! The crates below decide what a memory is, what must not pass, what is found
//! and what is kept. This crate composes them into the plugin's tools and its
//! prompt section, over ports that a thin JavaScript shim carries out.
//!
//! **The boundary is messages.** [`Engine::handle`] takes one message (a tool
//! call, the outcome of an effect, an event) and returns what came out: effects
//! to perform, calls that are done, lines to log. Inside, a call is an ordinary
//! `async fn`; the executor runs until nothing moves and then returns. So a
//! panic is an exception at a known place in the shim, never an unsettled
//! promise.
//!
//! Invariant: this crate reads no clock, no file, no network and no entropy.
//! Everything comes in with a message or as the outcome of an effect.

mod approval;
mod arguments;
mod caller;
mod compaction;
mod effect;
mod engine;
mod events;
mod excerpt;
mod history;
mod memory;
mod mirror;
mod overview;
mod proposals;
mod secrets;
mod section;
mod tools;
mod unread;
#[cfg(target_arch = "wasm32")]
mod wasm;
mod web;

pub use engine::Engine;
