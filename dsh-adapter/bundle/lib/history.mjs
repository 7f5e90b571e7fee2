/**
 * Effects on the session history: the host's session query, carried as data.
 * @module dsh-native-memory/history
 */

/**
 * The effects by kind.
 * @param {(name: string) => any} serviceOf - Looks a service of the host up.
 * @param {(call: number) => { signal?: AbortSignal } | undefined} execOf - The context of a call.
 */
export function historyEffects(serviceOf, execOf) {
  const query = (call) => {
    const service = serviceOf('sessionQuery')
    if (!service) throw Object.assign(new Error('no session query'), { code: 'no-session-query' })
    const signal = execOf(call)?.signal
    signal?.throwIfAborted()
    return { service, signal }
  }
  return {
    'search-sessions': async ({ call, query: text, types, cwds, limit, cursor }) => {
      const { service, signal } = query(call)
      const sessionFilters = [{ kind: 'cwd', values: cwds }]
      const eventFilters = [{ kind: 'type', values: types }]
      const request = { query: text, sessionFilters, eventFilters, limit }
      if (cursor !== null) request.cursor = cursor
      const { items, nextCursor } = await service.searchSessions(request, { signal })
      const hits = items.map(({ header, bestMatch }) => ({ ...listed(header), seq: bestMatch.seq }))
      return { hits, cursor: nextCursor ?? null }
    },
    'list-sessions': async ({ call, cwds }) => {
      const { service, signal } = query(call)
      const sessions = await service.filterSessions([{ kind: 'cwd', values: cwds }], signal)
      return sessions.map(({ header }) => listed(header))
    },
    'scan-session': async ({ call, session, types, text }) => {
      const filters = [
        { kind: 'type', values: types },
        { kind: 'text', text },
      ]
      const found = await query(call).service.filterEvents(session, filters)
      return found.map(({ seq }) => seq)
    },
    'read-session': async ({ call, session, types, around, before, after }) => {
      const log = await query(call).service.readSession(session)
      const chosen = log.events.filter(({ type }) => types.includes(type))
      const { cwd = null } = log.session
      const answer = { ...listed(log.session), cwd, length: log.events.length }
      if (around === null) return { ...answer, events: chosen }
      const at = chosen.findIndex(({ seq }) => seq > around)
      const middle = at < 0 ? chosen.length : at
      return { ...answer, events: chosen.slice(Math.max(0, middle - before), middle + after) }
    },
  }
}

function listed({ id, createdAt }) {
  return { session: id, createdAt }
}
