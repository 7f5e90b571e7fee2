/** What is shown where there is no memory to show; each state says what to do. */

import { Button } from '@deepseek-ai/dsh-client-ui-primitives'

/** @typedef {import('./types.js').T} T */

/** @param {{ t: T }} props */
export const Loading = ({ t }) => (
  <div className="dnm-state" data-state="loading" role="status">
    <p>{t('loading')}</p>
    <div className="dnm-skeleton" aria-hidden="true" />
    <div className="dnm-skeleton" aria-hidden="true" />
    <div className="dnm-skeleton" aria-hidden="true" />
  </div>
)

/** @param {{ t: T }} props */
export const Empty = ({ t }) => (
  <div className="dnm-state" data-state="empty">
    <p className="dnm-lead">{t('empty')}</p>
    <p>{t('emptyHow')}</p>
  </div>
)

/** @param {{ t: T, onClear: () => void }} props */
export const NoMatch = ({ t, onClear }) => (
  <div className="dnm-state" data-state="no-match">
    <p className="dnm-lead">{t('noMatch')}</p>
    <Button variant="outline" size="sm" onClick={onClear}>
      {t('clear')}
    </Button>
  </div>
)

/**
 * @param {{ t: T, state: 'offline' | 'error', why: string, kept?: string, onRetry: () => void }} props
 */
export const Failure = ({ t, state, why, kept, onRetry }) => (
  <div className="dnm-state dnm-failure" data-state={state} role="alert">
    <p className="dnm-lead">{t(state)}</p>
    <p>{t(state === 'offline' ? 'offlineHow' : 'errorHow')}</p>
    {kept !== undefined && <p>{t('stale', { time: kept })}</p>}
    <p>
      <code>{why}</code>
    </p>
    <Button variant="outline" size="sm" onClick={onRetry}>
      {t('retry')}
    </Button>
  </div>
)
