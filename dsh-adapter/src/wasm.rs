//! What the WebAssembly module exports: text in, text out, synchronous.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::engine::Engine;

/// The engine, as JavaScript holds it.
#[wasm_bindgen(js_name = Engine)]
pub struct WasmEngine(Engine);

#[wasm_bindgen(js_class = Engine)]
impl WasmEngine {
    /// See [`Engine::new`].
    #[wasm_bindgen(constructor)]
    pub fn new(config: &str) -> Result<WasmEngine, String> {
        Engine::new(config).map(Self)
    }

    /// See [`Engine::manifest`].
    pub fn manifest(&self) -> String {
        self.0.manifest()
    }

    /// See [`Engine::handle`].
    pub fn handle(&mut self, message: &str) -> Result<String, String> {
        self.0.handle(message)
    }

    /// See [`Engine::section`].
    pub fn section(&self, origin: &str) -> String {
        self.0.section(origin)
    }
}
