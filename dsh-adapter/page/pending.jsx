/** What waits for a person: proposals, and alarms about dropped anchors. */

import { useId } from 'react'
import { CopyLine } from './copy.jsx'
import { day } from './dates.js'
import { Text } from './text.jsx'

/** @typedef {import('./types.js').T} T */

/**
 * A titled box of rows with where and when each came from.
 * @template {import('./types.js').Placed & { id: string, sessionId: string, createdAt: number }} Row
 * @param {{ t: T, title: string, how: string, rows: Row[], body: (row: Row) => import('react').ReactNode }} props
 */
function Box({ t, title, how, rows, body }) {
  const id = useId()
  if (rows.length === 0) return null
  return (
    <section className="dnm-pending" aria-labelledby={id}>
      <h3 id={id}>
        {title} <span className="dnm-number">{rows.length}</span>
      </h3>
      <p className="dnm-how">{how}</p>
      <ul className="dnm-facts">
        {rows.map((row) => (
          <li key={row.id} className="dnm-fact">
            {body(row)}
            <p className="dnm-meta">
              <bdi>{row.workspacePath}</bdi>
              <span>{day(t, row.createdAt)}</span>
              <span>{t('fromSession', { session: row.sessionId })}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** @param {{ t: T, proposals: import('./types.js').Proposal[] }} props */
export function Proposals({ t, proposals }) {
  return (
    <Box
      t={t}
      title={t('proposals')}
      how={t('proposalsHow')}
      rows={proposals}
      body={({ text, workspacePath }) => (
        <>
          <Text t={t} text={text} />
          <div className="dnm-foot">
            <CopyLine
              t={t}
              label={t('remember')}
              about={t('rememberWhat', { text: [...text].slice(0, 60).join('') })}
              line={`memory_remember text: ${JSON.stringify(text)}`}
              path={workspacePath}
            />
          </div>
        </>
      )}
    />
  )
}

/** @param {{ t: T, alarms: import('./types.js').Alarm[] }} props */
export function Alarms({ t, alarms }) {
  return (
    <Box
      t={t}
      title={t('alarms')}
      how={t('alarmsHow')}
      rows={alarms}
      body={({ anchors }) => (
        <ul className="dnm-anchors">
          {anchors.map((anchor) => (
            <li key={anchor}>
              <code dir="auto">{anchor}</code>
            </li>
          ))}
        </ul>
      )}
    />
  )
}
