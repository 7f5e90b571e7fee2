/**
 * The plugin row `dsh-native-memory`: registers what the engine (Rust, compiled
 * to WebAssembly) declares. No rule lives here or in `bridge.mjs`.
 * @module dsh-native-memory
 */

import { Bridge, originOf } from './bridge.mjs'

/** Name of the plugin in the host's diagnostics. */
export const name = 'dsh-native-memory'

/** Services without which there is nothing to register. */
export const inject = ['tools']

/**
 * Mounts the row. Throws on a configuration that cannot be used; the host reports it.
 * @param {import('@deepseek-ai/cordis').Context} ctx - Context of the row.
 * @param {object} [config] - Configuration block of the row.
 */
export function apply(ctx, config) {
  const bridge = new Bridge(ctx, config)
  const { tools, section, events, route, sessionEnd, warnings } = bridge.manifest
  for (const warning of warnings) ctx.logger.warn('%s', warning)

  for (const { name, description, parameters, readOnly, timeoutMs } of tools) {
    ctx.tools.register({
      name,
      description,
      parameters,
      output: { schema: { type: 'string' }, render: (_args, text) => [{ type: 'text', text }] },
      isConcurrencySafe: () => readOnly,
      ...(timeoutMs ? { timeoutMs } : {}),
      execute: (args, exec) => bridge.call(name, args, exec),
    })
  }
  ctx.on('session/event', (session, event) => {
    if (events.includes(event.type)) bridge.sessionEvent(session, event)
  })
  ctx.effect(() => () => bridge.close(), 'dsh-native-memory: close')
  // When the whole host stops, its rows are disposed in no order to rely on:
  // the storage may close before this row is told. The root's own change of
  // state comes before all of them, so that what is pending is still written.
  let stopping = false
  ctx.on('internal/status', (fiber) => {
    if (fiber !== ctx.root.fiber) return
    stopping = true
    void bridge.close()
  })

  if (sessionEnd) {
    // A stopping host has no time for a model: the engine catches up at the next start.
    ctx.on('session/disposed', (session) => stopping || bridge.sessionEnded(session))
    ctx.inject(['storageDomain', 'sessionQuery', 'llm'], () => {
      // The models mount after the service that holds them; a row that failed is not ours.
      const loaded = Promise.allSettled([ctx.get('loader')?.await()])
      void loaded.then(() => bridge.catchUp())
    })
  }

  // Services may appear after this row has mounted, and go away again.
  ctx.inject(['storageDomain'], (scope) => {
    bridge.storageReady(scope.storageDomain)
    scope.effect(() => () => bridge.close(), 'dsh-native-memory: storage')
  })
  ctx.inject(['webServer'], (scope) => {
    const handler = (request, response) => bridge.web(request, response)
    scope.effect(
      () => scope.webServer.register({ kind: 'exact', path: route, handler }),
      'dsh-native-memory: route',
    )
  })
  if (section) {
    ctx.inject(['systemPrompt'], (scope) => {
      scope.systemPrompt.section({
        ...section,
        text: ({ agent }) => bridge.section(originOf(agent, 0)),
      })
    })
  }
}
