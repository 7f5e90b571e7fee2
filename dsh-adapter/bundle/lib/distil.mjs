/**
 * What the engine needs to look for proposals: the end of a session, and one
 * call of a model.
 * @module dsh-native-memory/distil
 */

/**
 * The effects by kind.
 * @param {(name: string) => any} serviceOf - Looks a service of the host up.
 */
export function distilEffects(serviceOf) {
  return {
    distil: async ({ provider, model, maxTokens, system, text, timeLimit }) => {
      const llm = serviceOf('llm')
      if (!llm) throw new Error('the host offers no model')
      const signal = AbortSignal.timeout(timeLimit)
      const route = { provider, model, maxTokens, temperature: 0.2 }
      const prepared = await llm.prepareCall(route, signal)
      const content = [{ type: 'text', text }]
      const message = { id: crypto.randomUUID(), role: 'user', content, source: { kind: 'user' } }
      // The host accepts nothing but the configuration that it prepared.
      const request = { ...prepared.config, system, messages: [message], signal }
      let answer = ''
      for await (const chunk of prepared.stream(request)) {
        if (chunk.type === 'text-delta') answer += chunk.text
        if (chunk.type === 'finish' && chunk.reason.kind === 'error') {
          throw new Error(`the model failed: ${chunk.reason.failure?.message ?? 'no reason given'}`)
        }
      }
      return answer
    },
  }
}

/** The newest events of some types, oldest first: whole ones, until so many UTF-16 units are full. */
export function newest(events, types, units) {
  const found = []
  for (let i = events.length - 1, room = units; i >= 0 && room > 0; i -= 1) {
    const { seq, type, data } = events[i]
    if (!types.includes(type)) continue
    found.push({ seq, type, data })
    room -= lengthOf(data.message?.content ?? data.content ?? [])
  }
  return found.reverse()
}

/** The UTF-16 units of a message's text. */
export function lengthOf(content) {
  return content.reduce(
    (sum, { type, text }) => sum + (type === 'text' ? text.trim().length : 0),
    0,
  )
}
