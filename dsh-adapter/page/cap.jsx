/** How close something is to its bound. */

/** From here on a person should know. */
const NEAR = 0.8

/**
 * Nothing, nearly full or full.
 * @param {number} count
 * @param {number} cap
 * @returns {'' | 'near' | 'full'}
 */
export const closeness = (count, cap) => (count >= cap ? 'full' : count >= cap * NEAR ? 'near' : '')

/**
 * Says the number and draws it; the colour is never the only sign.
 * @param {{ t: import('./types.js').T, what: 'capFacts' | 'capChars', count: number, cap: number }} props
 */
export function Cap({ t, what, count, cap }) {
  const close = closeness(count, cap)
  const number = new Intl.NumberFormat(t('language'))
  const said = t(what, { count: number.format(count), cap: number.format(cap) })
  return (
    <span className="dnm-cap" data-close={close}>
      <span className="dnm-gauge" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (count / cap) * 100)}%` }} />
      </span>
      {said}
      {close !== '' && <strong> · {t(close)}</strong>}
    </span>
  )
}
