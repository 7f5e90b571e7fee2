/** The engine as the host runs it, with a storage that is a list of rows. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const GLOBAL = { initialized: true }

/** Recalls through the message boundary, `limit` hits at a time. */
export async function engine({ bundle, folder, now }, facts, limit) {
  const lib = join(bundle, 'lib')
  const { Engine, initSync } = await import(pathToFileURL(join(lib, 'engine.js')))
  const { memory } = initSync({ module: readFileSync(join(lib, 'engine_bg.wasm')) })
  const rows = facts.map((fact) => ['facts', fact.id, fact])
  const origin = { sessionId: 'bench', cwd: folder, realCwd: folder, messages: [], events: 1 }
  const build = () => {
    const engine = new Engine('null')
    let calls = 0
    const effects = {
      open: () => ({ rows, global: GLOBAL }),
      'real-paths': ({ paths }) => paths,
    }
    const send = (message) => {
      const envelope = { now, entropy: crypto.randomUUID(), ...message }
      const { effects: wanted, done, log } = JSON.parse(engine.handle(encode(envelope)))
      for (const { text } of log) console.error(text)
      for (const { id, kind, ...rest } of wanted) {
        send({ message: 'settled', effect: id, value: effects[kind](rest) })
      }
      return done
    }
    const ask = (query) => {
      calls += 1
      const args = { query, limit }
      const call = { message: 'call', call: calls, tool: 'memory_recall', arguments: args, origin }
      const [{ text, error }] = send(call)
      if (error) throw new Error(error.message)
      return text.startsWith('Stored notes') ? text : undefined
    }
    send({ message: 'storage-ready' })
    return { ask, bytes: () => memory.buffer.byteLength }
  }
  return { build }
}

/** As the shim does it. */
function encode(value) {
  return JSON.stringify(value, (_key, v) => (typeof v === 'string' ? v.toWellFormed() : v))
}
