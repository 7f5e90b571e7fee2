/** Asks the engine, through the host, what is remembered. */

const ROUTE = '/dsh-native-memory/facts'

/** No other origin can send this header without asking first. */
const HEADERS = { 'x-dsh-native-memory': '1', accept: 'application/json' }

/**
 * What came of asking: the memory, that it is offline, or that nobody answered.
 * @typedef {{ state: 'ready', memory: import('./types.js').Memory, at: number }
 *   | { state: 'offline' | 'error', why: string }} Answer
 */

/**
 * Never throws; an aborted request is an error that nobody looks at.
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export async function ask(signal) {
  try {
    const response = await fetch(ROUTE, { headers: HEADERS, cache: 'no-store', signal })
    const body = await response.json()
    if (response.ok && Array.isArray(body.facts)) {
      return { state: 'ready', memory: body, at: Date.now() }
    }
    const why = typeof body.error === 'string' ? body.error : `HTTP ${response.status}`
    return { state: response.status === 503 ? 'offline' : 'error', why }
  } catch (error) {
    return { state: 'error', why: error instanceof Error ? error.message : String(error) }
  }
}
