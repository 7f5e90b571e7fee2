/** What the engine answers, and what the host gives. */

/** Where a row belongs: the folder's name, and its path, which no other has. */
export interface Placed {
  workspace: string
  workspacePath: string
}

export interface Fact extends Placed {
  id: string
  kind: 'preference' | 'fact' | 'convention' | 'decision'
  text: string
  tags: string[]
  sessionId: string
  seq: number
  createdAt: number
  updatedAt: number
  accessCount: number
  lastAccessedAt: number | null
}

export interface Profile extends Placed {
  entries: string[]
}

export interface Proposal extends Placed {
  id: string
  text: string
  sessionId: string
  createdAt: number
}

export interface Alarm extends Placed {
  id: string
  anchors: string[]
  sessionId: string
  createdAt: number
}

export interface Memory {
  facts: Fact[]
  total: number
  profile: Profile[]
  proposals: Proposal[]
  alarms: Alarm[]
  caps: { facts: number; factChars: number; profileEntries: number; profileEntryChars: number }
}

/** What a person asked to see. */
export interface Wanted {
  text: string
  kind: string
  tag: string
  path: string
  sort: string
}

/** What is shown of one workspace. */
export interface Group extends Placed {
  /** Facts that it holds, shown or not. */
  held: number
  facts: Fact[]
  /** Profile entries that it holds, shown or not. */
  entriesHeld: number
  entries: string[]
}

/** A word of the host's language; `{name}` in it is replaced. */
export type T = (key: keyof typeof import('./words/en.js').en, values?: object) => string

/** The part of the host's context that is used here. */
export interface Context {
  effect(run: () => () => void, label: string): void
  locale: {
    register(name: string, words: object): () => void
    bind(name: string): T
  }
  slots: {
    inject(slot: string, register: () => void): void
    register(options: object, component: unknown): void
  }
}
