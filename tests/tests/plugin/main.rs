//! The plugin in the real host, on real storage, with a scripted model.

mod compaction;
mod consolidate;
mod cost;
mod degradation;
mod export;
mod history;
mod history_scale;
mod page;
mod proposals;
mod remember;
mod section;
mod support;
mod trap;
mod web;
mod workspace;
