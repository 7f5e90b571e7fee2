/** What one workspace remembers. */

import { Button } from '@deepseek-ai/dsh-client-ui-primitives'
import { useId, useState } from 'react'
import { Cap } from './cap.jsx'
import { Fact } from './fact.jsx'
import { Text } from './text.jsx'

/** Facts that are drawn at once; ten thousand would take the page seconds. */
const STEP = 50

/**
 * @param {{ t: import('./types.js').T, group: import('./types.js').Group,
 *   caps: import('./types.js').Memory['caps'], tag: string, onTag: (tag: string) => void }} props
 */
export function Workspace({ t, group, caps, tag, onTag }) {
  const [room, setRoom] = useState(STEP)
  const id = useId()
  const hidden = group.facts.length - room
  return (
    <section className="dnm-workspace" aria-labelledby={id}>
      <header>
        <h3 id={id}>
          <bdi>{group.workspace}</bdi> <bdi className="dnm-path">{group.workspacePath}</bdi>
        </h3>
        <Cap t={t} what="capFacts" count={group.held} cap={caps.facts} />
      </header>
      {group.entries.length > 0 && (
        <details className="dnm-profile">
          <summary>
            {t('capEntries', { count: group.entriesHeld, cap: caps.profileEntries })}
          </summary>
          <ol>
            {group.entries.map((entry) => (
              <li key={entry}>
                <Text t={t} text={entry} />
              </li>
            ))}
          </ol>
        </details>
      )}
      <ul className="dnm-facts">
        {group.facts.slice(0, room).map((fact) => (
          <Fact key={fact.id} t={t} fact={fact} cap={caps.factChars} tag={tag} onTag={onTag} />
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="outline" size="sm" onClick={() => setRoom(room + STEP)}>
          {t('more', { count: Math.min(STEP, hidden) })}
        </Button>
      )}
    </section>
  )
}
