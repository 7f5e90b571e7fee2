/** Which facts are shown, and in which order. Nothing here shows anything. */

/** @typedef {import('./types.js').Fact} Fact */
/** @typedef {import('./types.js').Wanted} Wanted */

/** Everything, last changed first. @type {Wanted} */
export const EVERYTHING = { text: '', kind: '', tag: '', path: '', sort: 'changed' }

/** Orders by name; equal ones stay as the engine sent them: last changed first. */
const ORDERS = {
  changed: () => 0,
  newest: (/** @type {Fact} */ a, /** @type {Fact} */ b) => b.createdAt - a.createdAt,
  oldest: (/** @type {Fact} */ a, /** @type {Fact} */ b) => a.createdAt - b.createdAt,
  used: (/** @type {Fact} */ a, /** @type {Fact} */ b) => b.accessCount - a.accessCount,
  longest: (/** @type {Fact} */ a, /** @type {Fact} */ b) => b.text.length - a.text.length,
}

/** Names of the orders. */
export const SORTS = /** @type {(keyof typeof ORDERS)[]} */ (Object.keys(ORDERS))

/** The kinds of facts. @type {Fact['kind'][]} */
export const KINDS = ['preference', 'fact', 'convention', 'decision']

/** Whether anything is left out. @param {Wanted} wanted */
export function isFiltered({ text, kind, tag, path }) {
  return text.trim() !== '' || kind !== '' || tag !== '' || path !== ''
}

/** Letters of one width and case, so that a person finds what they see. @param {string} text */
const plain = (text) => text.normalize('NFKC').toLowerCase()

/**
 * The workspaces that have something to show, each with its facts.
 * @param {import('./types.js').Memory} memory
 * @param {Wanted} wanted
 * @returns {import('./types.js').Group[]}
 */
export function choose(memory, wanted) {
  const words = plain(wanted.text).split(/\s+/).filter(Boolean)
  const holds = (/** @type {string[]} */ ...texts) => {
    const text = plain(texts.join('\n'))
    return words.every((word) => text.includes(word))
  }
  /** @type {Map<string, import('./types.js').Group>} */
  const groups = new Map()
  const group = (/** @type {import('./types.js').Placed} */ { workspace, workspacePath }) => {
    const found = groups.get(workspacePath) ?? {
      workspace,
      workspacePath,
      held: 0,
      facts: [],
      entriesHeld: 0,
      entries: [],
    }
    groups.set(workspacePath, found)
    return found
  }
  for (const fact of memory.facts) {
    const { kind, tags, text, workspacePath, sessionId } = fact
    const found = group(fact)
    found.held += 1
    const fits =
      (wanted.kind === '' || kind === wanted.kind) &&
      (wanted.tag === '' || tags.includes(wanted.tag)) &&
      (wanted.path === '' || workspacePath === wanted.path) &&
      holds(text, ...tags, workspacePath, sessionId)
    if (fits) found.facts.push(fact)
  }
  for (const profile of memory.profile ?? []) {
    const found = group(profile)
    found.entriesHeld = profile.entries.length
    const fits =
      wanted.kind === '' &&
      wanted.tag === '' &&
      (wanted.path === '' || profile.workspacePath === wanted.path)
    if (fits) found.entries = profile.entries.filter((entry) => holds(entry, found.workspacePath))
  }
  const order = ORDERS[/** @type {keyof typeof ORDERS} */ (wanted.sort)] ?? ORDERS.changed
  for (const { facts } of groups.values()) facts.sort(order)
  return [...groups.values()].filter(({ facts, entries }) => facts.length + entries.length > 0)
}

/**
 * Every tag with the number of its facts, most frequent first.
 * @param {Fact[]} facts
 */
export function tagsOf(facts) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const tag of facts.flatMap((fact) => fact.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

/**
 * Every workspace's path with its folder's name, by path.
 * @param {import('./types.js').Memory} memory
 */
export function workspacesOf(memory) {
  const all = [...memory.facts, ...(memory.profile ?? [])]
  const names = new Map(all.map(({ workspacePath, workspace }) => [workspacePath, workspace]))
  return [...names].sort(([a], [b]) => (a < b ? -1 : 1))
}
