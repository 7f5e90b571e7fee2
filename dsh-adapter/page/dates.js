/** Dates in the host's language. */

/** @param {import('./types.js').T} t @param {number} at */
export const day = (t, at) =>
  new Intl.DateTimeFormat(t('language'), { dateStyle: 'medium' }).format(at)

/** @param {import('./types.js').T} t @param {number} at */
export const moment = (t, at) =>
  new Intl.DateTimeFormat(t('language'), { dateStyle: 'long', timeStyle: 'medium' }).format(at)

/** @param {import('./types.js').T} t @param {number} at */
export const clock = (t, at) =>
  new Intl.DateTimeFormat(t('language'), { timeStyle: 'medium' }).format(at)
