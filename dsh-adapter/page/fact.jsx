/** One fact: what it says, where it comes from, and how it is forgotten. */

import { Pill } from '@deepseek-ai/dsh-client-ui-primitives'
import { Cap, closeness } from './cap.jsx'
import { CopyLine } from './copy.jsx'
import { day, moment } from './dates.js'
import { Text } from './text.jsx'

/** The start of a session's id, less what all begin with, is enough to find it. @param {string} id */
const brief = (id) => id.replace(/^session-(?=.)/, '').replace(/^(.{8}).{4,}$/, '$1…')

/**
 * @param {{ t: import('./types.js').T, fact: import('./types.js').Fact, cap: number, tag: string,
 *   onTag: (tag: string) => void }} props
 */
export function Fact({ t, fact, cap, tag, onTag }) {
  const length = [...fact.text].length
  return (
    <li className="dnm-fact">
      <Text t={t} text={fact.text} />
      <div className="dnm-marks">
        <span className="dnm-kind" data-kind={fact.kind}>
          {t(fact.kind)}
        </span>
        {fact.tags.map((name) => (
          <Pill
            key={name}
            className="dnm-tag"
            active={name === tag}
            aria-pressed={name === tag}
            aria-label={t('onlyTag', { tag: name })}
            onClick={() => onTag(name === tag ? '' : name)}
          >
            <bdi>#{name}</bdi>
          </Pill>
        ))}
        {closeness(length, cap) !== '' && <Cap t={t} what="capChars" count={length} cap={cap} />}
      </div>
      <div className="dnm-foot">
        <p className="dnm-meta">
          <time dateTime={new Date(fact.createdAt).toISOString()} title={moment(t, fact.createdAt)}>
            {t('since', { date: day(t, fact.createdAt) })}
          </time>
          {fact.updatedAt !== fact.createdAt && (
            <time
              dateTime={new Date(fact.updatedAt).toISOString()}
              title={moment(t, fact.updatedAt)}
            >
              {t('changed', { date: day(t, fact.updatedAt) })}
            </time>
          )}
          <span>
            {fact.accessCount > 0 && fact.lastAccessedAt
              ? t('used', { count: fact.accessCount, date: day(t, fact.lastAccessedAt) })
              : t('usedNever')}
          </span>
          <span title={fact.sessionId}>
            {t('from', { session: brief(fact.sessionId), seq: fact.seq })}
          </span>
        </p>
        <CopyLine
          t={t}
          label={t('forget')}
          about={t('forgetWhat', { text: [...fact.text].slice(0, 60).join('') })}
          line={`memory_forget id: ${JSON.stringify(fact.id)}`}
          path={fact.workspacePath}
        />
      </div>
    </li>
  )
}
