/**
 * Stands in for the plugin when the harness itself is tested: a tool that asks
 * and tells the outcome.
 * @module fake-memory
 */

export const name = 'fake-memory'

export const inject = ['tools', 'approval']

export function apply(ctx) {
  ctx.tools.register({
    name: 'memory_recall',
    description: 'Asks, and tells the outcome.',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
    output: { schema: { type: 'string' }, render: (_args, text) => [{ type: 'text', text }] },
    isConcurrencySafe: () => false,
    async execute({ query }, { agent, callId, signal }) {
      const outcome = await ctx.approval.request({
        agent,
        toolName: 'memory_recall',
        callId,
        reason: `asks about ${query}`,
        signal,
      })
      return `${query}: ${outcome}`
    },
  })
}
