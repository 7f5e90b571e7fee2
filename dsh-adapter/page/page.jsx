/** The whole section. */

import { Button } from '@deepseek-ai/dsh-client-ui-primitives'
import { useMemo, useState } from 'react'
import { Chart } from './chart.jsx'
import { choose, EVERYTHING, isFiltered, tagsOf, workspacesOf } from './choose.js'
import { clock } from './dates.js'
import { Filters } from './filters.jsx'
import { Alarms, Proposals } from './pending.jsx'
import { Empty, Failure, Loading, NoMatch } from './states.jsx'
import { useMemory } from './use-memory.js'
import { Workspace } from './workspace.jsx'

/** @typedef {import('./types.js').T} T */

/** @param {{ t: T }} props - The host's words, in its language. */
export function Page({ t }) {
  const { busy, last, failure, refresh } = useMemory()
  return (
    <div className="dnm" aria-busy={busy}>
      <header className="dnm-head">
        <h2>{t('title')}</h2>
        <span className="dnm-read" role="status">
          {busy ? t('loading') : last && t('read', { time: clock(t, last.at) })}
        </span>
        <Button variant="outline" size="sm" onClick={refresh}>
          {t('refresh')}
        </Button>
      </header>
      <p className="dnm-how">{t('intro')}</p>
      {failure && <Failure t={t} {...failure} kept={last && clock(t, last.at)} onRetry={refresh} />}
      {last ? <Content t={t} memory={last.memory} now={last.at} /> : !failure && <Loading t={t} />}
    </div>
  )
}

/** @param {{ t: T, memory: import('./types.js').Memory, now: number }} props */
function Content({ t, memory, now }) {
  const [wanted, setWanted] = useState(EVERYTHING)
  const groups = useMemo(() => choose(memory, wanted), [memory, wanted])
  const tags = useMemo(() => tagsOf(memory.facts), [memory])
  const workspaces = useMemo(() => workspacesOf(memory), [memory])
  const facts = groups.flatMap((group) => group.facts)
  const { alarms, proposals } = memory
  const nothing = memory.facts.length === 0 && memory.profile.length === 0
  return (
    <>
      <Proposals t={t} proposals={proposals} />
      <Alarms t={t} alarms={alarms} />
      {nothing ? (
        <Empty t={t} />
      ) : (
        <>
          <Filters t={t} wanted={wanted} tags={tags} workspaces={workspaces} onChange={setWanted} />
          <p className="dnm-count" role="status">
            {t('count', { shown: facts.length, held: memory.facts.length })}
            {memory.total > memory.facts.length && (
              <> · {t('cut', { shown: memory.facts.length, total: memory.total })}</>
            )}
          </p>
          <Chart t={t} facts={facts} now={now} />
          {groups.map((group) => (
            <Workspace
              key={group.workspacePath}
              t={t}
              group={group}
              caps={memory.caps}
              tag={wanted.tag}
              onTag={(tag) => setWanted({ ...wanted, tag })}
            />
          ))}
          {groups.length === 0 && isFiltered(wanted) && (
            <NoMatch t={t} onClear={() => setWanted({ ...EVERYTHING, sort: wanted.sort })} />
          )}
        </>
      )}
    </>
  )
}
