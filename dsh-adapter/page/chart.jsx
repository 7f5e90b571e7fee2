/** How the number of facts grew: one bar for each span of days. */

import { day } from './dates.js'

const DAY = 24 * 60 * 60 * 1000
const MOST_BARS = 32
const HEIGHT = 36
/** Fewer facts, or fewer bars, say less than the dates beside the facts. */
const LEAST_FACTS = 5
const LEAST_BARS = 3

/**
 * Counts in equal spans, from the first fact until now.
 * @param {number[]} times
 * @param {number} now
 */
export function bars(times, now) {
  const first = Math.min(...times)
  const days = Math.max(1, Math.ceil((now - first + 1) / DAY))
  const width = Math.ceil(days / MOST_BARS) * DAY
  const counts = Array.from({ length: Math.ceil((days * DAY) / width) }, (_, at) => ({
    from: first + at * width,
    count: 0,
  }))
  for (const time of times) {
    const at = Math.min(counts.length - 1, Math.max(0, Math.floor((time - first) / width)))
    counts[at].count += 1
  }
  return counts
}

/** @param {{ t: import('./types.js').T, facts: import('./types.js').Fact[], now: number }} props */
export function Chart({ t, facts, now }) {
  if (facts.length < LEAST_FACTS) return null
  const times = facts.map((fact) => fact.createdAt)
  const counts = bars(times, now)
  if (counts.length < LEAST_BARS) return null
  const most = Math.max(...counts.map(({ count }) => count))
  const first = day(t, counts[0].from)
  const last = day(t, now)
  return (
    <figure className="dnm-chart">
      <figcaption>{t('chart')}</figcaption>
      <svg
        role="img"
        aria-label={t('chartText', { count: facts.length, first, last })}
        viewBox={`0 0 ${counts.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {counts.map(({ from, count }, at) => {
          // A day without facts keeps a line, so that gaps read as gaps.
          const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT)
          return (
            <rect
              key={from}
              className={count === 0 ? 'dnm-bar-none' : 'dnm-bar'}
              x={at * 10 + 1}
              y={HEIGHT - height}
              width={8}
              height={height}
            >
              <title>{t('bar', { count, first: day(t, from) })}</title>
            </rect>
          )
        })}
      </svg>
      <div className="dnm-axis" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </figure>
  )
}
