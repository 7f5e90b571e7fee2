/**
 * The host's half of the message boundary: sends messages to the engine,
 * performs the effects that come out, and settles the calls that are done.
 * @module dsh-native-memory/bridge
 */

import { readFileSync, realpathSync } from 'node:fs'
import { distilEffects, lengthOf, newest } from './distil.mjs'
import { Engine, initSync, __wbg_reset_state as resetInstance } from './engine.js'
import { historyEffects } from './history.mjs'
import { mirrorEffects } from './mirror.mjs'

initSync({ module: readFileSync(new URL('./engine_bg.wasm', import.meta.url)) })

/** How often the WebAssembly instance was replaced; engines of an older one are dead. */
let instance = 0

/** How many of the newest messages the engine gets to choose a citation from. */
const NEWEST_MESSAGES = 64

/** What a call is told that was in flight when the engine stopped. */
const STOPPED = {
  code: 'MEMORY_UNAVAILABLE',
  message:
    'MEMORY_UNAVAILABLE: the memory engine stopped unexpectedly. Call again; if a write was under way, check with memory_recall first.',
}

/** What the page is told then. */
const OFFLINE = {
  status: 503,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  },
  body: JSON.stringify({ error: 'memory is offline: the memory engine stopped unexpectedly' }),
}

/** One engine and what it is connected to. */
export class Bridge {
  #ctx
  #config
  #engine
  #instance
  /** Counts engines, so that an outcome never reaches a later one. */
  #epoch = 0
  #lastCall = 0
  /** @type {Map<number, { exec?: object, resolve: Function, reject: Function }>} */
  #calls = new Map()
  /** Puts under way; rows are not read before they are done. */
  #puts = new Set()
  #storage
  #domain
  /** A closing under way; whoever else closes joins it. */
  #closing

  /**
   * @param {import('@deepseek-ai/cordis').Context} ctx - Where services are looked up.
   * @param {object} [config] - Configuration block; the engine checks it.
   */
  constructor(ctx, config) {
    this.#ctx = ctx
    this.#config = encode(config ?? null)
    this.#start()
    /** What to register with the host. */
    this.manifest = JSON.parse(this.#engine.manifest())
  }

  /** Runs one tool call, with the arguments of the model and the host's execution context. */
  call(tool, args, exec) {
    const origin = originOf(exec.agent, NEWEST_MESSAGES)
    return this.#request({ message: 'call', tool, arguments: args ?? null, origin }, exec)
  }

  /** Answers a request of the page, as the engine decides. */
  async web({ method, headers }, response) {
    const request = { method, headers }
    const text = await this.#request({ message: 'web-request', request }).catch(() => undefined)
    const { status, headers: answered, body } = text ? JSON.parse(text) : OFFLINE
    response.writeHead(status, answered)
    response.end(method === 'HEAD' ? undefined : body)
  }

  /** The prompt section for an origin; empty while there is nothing to say. */
  section(origin) {
    return this.#guarded(() => this.#engine.section(encode({ now: Date.now(), ...origin }))) ?? ''
  }

  /** Takes the host's storage domain facility. */
  storageReady(storage) {
    this.#storage = storage
    this.#send({ message: 'storage-ready' })
  }

  /** Takes an event that a session logged, with the events that it replaces. */
  sessionEvent(session, { type, data }) {
    const shadowed = data?.shadowedSeqs?.flatMap((seq) => session.events[seq] ?? [])
    const origin = originOf({ session }, 0)
    this.#send({ message: 'session-event', event: type, origin, data: { ...data, shadowed } })
  }

  /** Takes a session that ended, with its newest messages. */
  sessionEnded(session) {
    const { types, units } = this.manifest.sessionEnd
    const tail = newest(session.events, types, units)
    this.#send({ message: 'session-ended', origin: originOf({ session }, 0), tail })
  }

  /** The host's sessions and models can be used now. */
  catchUp() {
    this.#send({ message: 'catch-up' })
  }

  /** Writes what is pending, closes the domain and lets the storage go; harmless twice. */
  async close() {
    this.#closing ??= this.#request({ message: 'close' })
      .finally(() => this.#effects.close())
      .catch((error) => this.#warn(error.message))
      .finally(() => {
        this.#storage = undefined
        this.#closing = undefined
      })
    return this.#closing
  }

  /** Carries out effects, by kind. A rejection reaches the engine as a fault. */
  #effects = {
    open: async () => {
      if (!this.#storage) throw Object.assign(new Error('no storage'), { code: 'no-storage' })
      await Promise.allSettled(this.#puts)
      this.#domain ??= await this.#storage.open(domainSpec(this.manifest.domain))
      const domain = this.#domain
      const rows = this.manifest.domain.tables.flatMap((table) =>
        Array.from(domain.table(table).entries(), ([key, row]) => [table, key, row]),
      )
      return { rows, global: domain.global.get() }
    },
    put: ({ table, key, value }) => this.#put(this.#domain.table(table).put(key, value)),
    'put-global': ({ value }) => this.#put(this.#domain.global.set(value)),
    close: async () => {
      const domain = this.#domain
      this.#domain = undefined
      await domain?.close()
    },
    ask: async ({ call, tool, reason }) => {
      const { agent, callId, signal } = this.#calls.get(call).exec
      const request = { agent, toolName: tool, callId, reason, signal }
      return this.#ctx.get('approval')?.request(request) ?? 'unavailable'
    },
    'real-paths': async ({ paths }) => paths.map(realPath),
    ...mirrorEffects,
    ...distilEffects((name) => this.#ctx.get(name)),
    ...historyEffects(
      (name) => this.#ctx.get(name),
      (call) => this.#calls.get(call)?.exec,
    ),
  }

  async #put(put) {
    this.#puts.add(put)
    await put.finally(() => this.#puts.delete(put))
  }

  #start() {
    this.#instance = instance
    this.#engine = new Engine(this.#config)
  }

  #request(message, exec) {
    const call = ++this.#lastCall
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { exec, resolve, reject })
      this.#send({ ...message, call })
    })
  }

  #send(message) {
    const envelope = { now: Date.now(), entropy: crypto.randomUUID(), ...message }
    const outcome = this.#guarded(() => JSON.parse(this.#engine.handle(encode(envelope))))
    if (!outcome) return
    for (const { text } of outcome.log) this.#warn(text)
    for (const { call, text, error } of outcome.done) {
      const { resolve, reject } = this.#calls.get(call)
      this.#calls.delete(call)
      if (error) reject(memoryError(error))
      else resolve(text)
    }
    for (const effect of outcome.effects) void this.#perform(effect, this.#epoch)
  }

  async #perform({ id, kind, ...rest }, epoch) {
    let outcome
    try {
      outcome = { value: await this.#effects[kind](rest) }
    } catch (error) {
      const { name = '', code = name, message = error } = error ?? {}
      outcome = { error: { code: String(code), message: String(message) } }
    }
    if (epoch === this.#epoch) this.#send({ message: 'settled', effect: id, ...outcome })
  }

  /**
   * Runs one entry into the engine. A trap leaves its instance unusable: the
   * calls in flight fail, and a new engine starts; it reads the rows when it
   * needs them.
   */
  #guarded(entry) {
    try {
      if (this.#instance !== instance) throw new Error('another engine of this module was stopped')
      return entry()
    } catch (error) {
      this.#warn(`the memory engine stopped and is started again: ${error?.message ?? error}`)
      if (this.#instance === instance) {
        resetInstance()
        instance += 1
      }
      this.#epoch += 1
      const calls = [...this.#calls.values()]
      this.#calls.clear()
      this.#start()
      for (const { reject } of calls) reject(memoryError(STOPPED))
      // The rows are read again at the next call, not here: if they were the
      // cause, this must not become a loop.
      return undefined
    }
  }

  #warn(text) {
    this.#ctx.logger.warn('%s', text)
  }
}

/**
 * What the engine may know of a calling agent: its session, its folder, and which
 * messages (so many at `most`) were said last, never their content.
 */
export function originOf(agent, most) {
  const session = agent?.session
  const { cwd, origin, delegationDepth = 0 } = session?.header ?? {}
  const events = session?.events ?? []
  const messages = []
  for (let i = events.length - 1; i >= 0 && messages.length < most; i -= 1) {
    const { type, seq, data } = events[i]
    if (type !== 'user/message' && type !== 'assistant/message') continue
    const chars = lengthOf(data.message?.content ?? data.content ?? [])
    messages.push({ seq, role: type.split('/')[0], source: data.source?.kind, chars })
  }
  const delegated = origin === 'subagent' || delegationDepth > 0
  const place = { sessionId: session?.id, cwd, realCwd: realPath(cwd), delegated }
  return { ...place, messages, events: events.length }
}

function realPath(path) {
  try {
    return path ? realpathSync.native(path) : null
  } catch {
    // It does not exist (any more); the engine compares its spelling.
    return null
  }
}

/** Rows are validated one by one in the engine, so that a bad one does not take the rest offline. */
function domainSpec({ name, version, tables, global }) {
  const parse = (value) => value
  const safeParse = (data) => ({ success: data !== null, data })
  return {
    name,
    version,
    global: { schema: { parse, safeParse }, initial: global },
    tables: Object.fromEntries(tables.map((table) => [table, { valueSchema: { parse } }])),
  }
}

/** JSON without lone surrogates, which are no text to the engine. */
function encode(value) {
  return JSON.stringify(value, (_key, v) => (typeof v === 'string' ? v.toWellFormed() : v))
}

function memoryError({ code, message }) {
  return Object.assign(new Error(message), { name: 'MemoryError', code })
}
