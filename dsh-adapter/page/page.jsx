/** The whole section. */

import { useEffect, useState } from 'react'

/** @param {{ t: (key: string, values?: object) => string }} props - The host's words. */
export function Page({ t }) {
  const [facts, setFacts] = useState([])
  useEffect(() => {
    fetch('/dsh-native-memory/facts', { headers: { 'x-dsh-native-memory': '1' } })
      .then((answer) => answer.json())
      .then((body) => setFacts(body.facts ?? []))
  }, [])
  return (
    <section className="dnm" aria-label={t('title')}>
      <h2>{t('title')}</h2>
      <ul>
        {facts.map((fact) => (
          <li key={fact.id}>{fact.text}</li>
        ))}
      </ul>
    </section>
  )
}
