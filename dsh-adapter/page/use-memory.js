/** The memory as it was last read. It is read again when a person comes back. */

import { useCallback, useEffect, useRef, useState } from 'react'
import { ask } from './answer.js'

/**
 * @typedef {object} Reading
 * @property {boolean} busy
 * @property {{ memory: import('./types.js').Memory, at: number }} [last] - What was read last.
 * @property {{ state: 'offline' | 'error', why: string }} [failure] - Why it was not read since.
 */

/** @returns {Reading & { refresh: () => void }} */
export function useMemory() {
  const [reading, setReading] = useState(/** @type {Reading} */ ({ busy: true }))
  const running = useRef(/** @type {AbortController | undefined} */ (undefined))

  const refresh = useCallback(async () => {
    running.current?.abort()
    const mine = new AbortController()
    running.current = mine
    setReading((before) => ({ ...before, busy: true }))
    const answer = await ask(mine.signal)
    if (mine.signal.aborted) return
    setReading((before) =>
      answer.state === 'ready'
        ? { busy: false, last: answer }
        : { busy: false, last: before.last, failure: answer },
    )
  }, [])

  useEffect(() => {
    void refresh()
    const back = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    document.addEventListener('visibilitychange', back)
    return () => {
      document.removeEventListener('visibilitychange', back)
      running.current?.abort()
    }
  }, [refresh])

  return { ...reading, refresh }
}
