/** A line for a chat: copied, or shown where the clipboard refuses. */

import { Button, writeClipboard } from '@deepseek-ai/dsh-client-ui-primitives'
import { useEffect, useId, useRef, useState } from 'react'

/**
 * The button and, once it was used, what came of it.
 * @param {{ t: import('./types.js').T, label: string, about: string, line: string, path: string }} props
 */
export function CopyLine({ t, label, about, line, path }) {
  const [outcome, setOutcome] = useState(/** @type {'' | 'copied' | 'copyByHand'} */ (''))
  const shown = useRef(/** @type {HTMLInputElement | null} */ (null))
  const noteId = useId()
  useEffect(() => {
    if (outcome === 'copyByHand') shown.current?.select()
  }, [outcome])
  const copy = async () => setOutcome((await writeClipboard(line)) ? 'copied' : 'copyByHand')
  return (
    <>
      <Button variant="outline" size="sm" aria-label={about} title={label} onClick={copy}>
        {label}
      </Button>
      <div className="dnm-outcome" role="status">
        {outcome !== '' && <p id={noteId}>{t(outcome, { path })}</p>}
        {outcome === 'copyByHand' && (
          <input
            ref={shown}
            className="dnm-line"
            readOnly
            value={line}
            aria-label={t('line')}
            aria-describedby={noteId}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </div>
    </>
  )
}
