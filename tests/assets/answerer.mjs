/**
 * Answers approvals in a person's place, by rules, and writes down every ask.
 * @module end-to-end/answerer
 */

import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export const name = 'end-to-end-answerer'

/**
 * @param {object} ctx - Context of the row.
 * @param {{ log: string, rules: object[] }} config - Where asks are written
 *   down, and the rules: the first that fits an ask answers it.
 */
export function apply(ctx, config) {
  const rules = config.rules.map((rule) => ({ ...rule }))
  ctx.on('approval/request', async (request, next) => {
    const { toolName, reason, callId } = request
    const rule = rules.find(
      ({ contains, times }) => times !== 0 && (reason ?? '').includes(contains),
    )
    if (rule?.times) rule.times -= 1
    const outcome = rule?.outcome ?? 'unavailable'
    appendFileSync(config.log, `${JSON.stringify({ toolName, reason, callId, outcome })}\n`)
    if (rule?.afterMs) await sleep(rule.afterMs)
    if (outcome === 'throws') throw new Error('the answerer throws, as told')
    return rule ? outcome : next()
  })
}
