/**
 * The client half of the bundle: a section of the host's settings that shows
 * what is remembered. It only reads.
 * @module dsh-native-memory/client
 */

import css from './page.css'
import { Page } from './page.jsx'
import { en } from './words/en.js'
import { zh } from './words/zh.js'

/** Name of the plugin, of its words and of its styles. */
export const name = 'dsh-native-memory'

/** Services of the host's page without which there is nothing to show. */
export const inject = ['slots', 'locale']

/**
 * Registers the section.
 * @param {import('./types.js').Context} ctx - Context of the host's page.
 */
export function apply(ctx) {
  ctx.effect(() => ctx.locale.register(name, { en, zh }), 'dsh-native-memory: words')
  ctx.effect(() => {
    const style = document.createElement('style')
    style.dataset.plugin = name
    style.textContent = css
    document.head.append(style)
    return () => style.remove()
  }, 'dsh-native-memory: styles')
  const t = ctx.locale.bind(name)
  ctx.slots.inject('settings.section', () =>
    ctx.slots.register(
      { name: 'settings.section', id: name, order: 30, label: () => t('nav'), locale: name },
      Page,
    ),
  )
}
