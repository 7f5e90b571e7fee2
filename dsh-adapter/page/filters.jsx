/** What to look for. */

import { Input } from '@deepseek-ai/dsh-client-ui-primitives'
import { KINDS, SORTS } from './choose.js'

/** @typedef {import('./types.js').T} T */

const SORT_WORDS = /** @type {const} */ ({
  changed: 'sortChanged',
  newest: 'sortNewest',
  oldest: 'sortOldest',
  used: 'sortUsed',
  longest: 'sortLongest',
})

/**
 * A list to choose one from, with its name.
 * @param {{ label: string, value: string, options: (readonly [string, string])[],
 *   onChange: (value: string) => void }} props
 */
function Choice({ label, value, options, onChange }) {
  return (
    <label className="dnm-choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/**
 * @param {{ t: T, wanted: import('./types.js').Wanted, tags: [string, number][],
 *   workspaces: [string, string][], onChange: (wanted: import('./types.js').Wanted) => void }} props
 */
export function Filters({ t, wanted, tags, workspaces, onChange }) {
  const change = (/** @type {Partial<import('./types.js').Wanted>} */ some) =>
    onChange({ ...wanted, ...some })
  return (
    <search className="dnm-filters" aria-label={t('filters')}>
      <Input
        type="search"
        className="dnm-search"
        value={wanted.text}
        placeholder={t('search')}
        aria-label={t('search')}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <Choice
        label={t('workspace')}
        value={wanted.path}
        options={[
          ['', t('workspaceAll')],
          ...workspaces.map(([path]) => /** @type {const} */ ([path, path])),
        ]}
        onChange={(path) => change({ path })}
      />
      <Choice
        label={t('kind')}
        value={wanted.kind}
        options={[
          ['', t('kindAll')],
          ...KINDS.map((kind) => /** @type {const} */ ([kind, t(kind)])),
        ]}
        onChange={(kind) => change({ kind })}
      />
      <Choice
        label={t('tag')}
        value={wanted.tag}
        options={[
          ['', t('tagAll')],
          ...tags.map(([tag, count]) => /** @type {const} */ ([tag, `#${tag} (${count})`])),
        ]}
        onChange={(tag) => change({ tag })}
      />
      <Choice
        label={t('sort')}
        value={wanted.sort}
        options={SORTS.map((sort) => /** @type {const} */ ([sort, t(SORT_WORDS[sort])]))}
        onChange={(sort) => change({ sort })}
      />
    </search>
  )
}
