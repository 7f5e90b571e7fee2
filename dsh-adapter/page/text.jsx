/** A stored text, folded where it is long. */

import { useId, useLayoutEffect, useRef, useState } from 'react'

/**
 * What somebody wrote down is shown as it is and can turn nothing around it.
 * @param {{ t: import('./types.js').T, text: string }} props
 */
export function Text({ t, text }) {
  const [long, setLong] = useState(false)
  const [open, setOpen] = useState(false)
  const paragraph = useRef(/** @type {HTMLParagraphElement | null} */ (null))
  const id = useId()
  useLayoutEffect(() => {
    const shown = paragraph.current
    if (shown !== null && !open) setLong(shown.scrollHeight > shown.clientHeight + 1)
  }, [text, open])
  return (
    <>
      <p ref={paragraph} id={id} className={open ? 'dnm-text' : 'dnm-text dnm-folded'} dir="auto">
        {text}
      </p>
      {long && (
        <button
          type="button"
          className="dnm-link"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'fold' : 'unfold')}
        </button>
      )}
    </>
  )
}
