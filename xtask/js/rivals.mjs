/** Other ways to search, each asked for twenty hits. */

import { createRequire } from 'node:module'
import { join } from 'node:path'

const LIMIT = 20

/** A package that was installed into a folder of its own. */
const load = (modules, name) => createRequire(join(modules, 'x.js'))(name)

const content = ({ text, tags }) => [text, ...tags].join('\n')

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const RUNS = new RegExp(`${CJK.source}+|(?:(?!${CJK.source})[\\p{L}\\p{N}])+`, 'gu')

/** Words in small letters, CJK as bigrams. */
function tokens(text) {
  const out = []
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(RUNS)) {
    const chars = CJK.test(run) ? [...run] : [run]
    if (chars.length === 1) out.push(chars[0])
    for (let i = 1; i < chars.length; i += 1) out.push(chars[i - 1] + chars[i])
  }
  return out
}

/** Some hit, or nothing. */
const some = (hits) => (hits.length > 0 ? hits : undefined)

export function flexsearch(settings, facts) {
  const { Index } = load(settings.flexsearch, 'flexsearch')
  const build = () => {
    const index = new Index({ tokenize: 'strict', encode: tokens })
    facts.forEach((fact, id) => {
      index.add(id, content(fact))
    })
    // Without suggestions every word would have to match.
    return { ask: (query) => some(index.search(query, { limit: LIMIT, suggest: true })) }
  }
  return { build }
}

export function minisearch(settings, facts) {
  const MiniSearch = load(settings.minisearch, 'minisearch')
  const build = () => {
    const index = new MiniSearch({ fields: ['content'], tokenize: tokens })
    index.addAll(facts.map((fact, id) => ({ id, content: content(fact) })))
    return { ask: (query) => some(index.search(query).slice(0, LIMIT)) }
  }
  return { build }
}

export async function fts5(_settings, facts) {
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(':memory:')
  try {
    db.exec("CREATE VIRTUAL TABLE facts USING fts5(content, tokenize = 'trigram')")
  } catch (error) {
    return { skipped: `node:sqlite of Node ${process.version}: ${error.message}` }
  }
  const build = () => {
    const insert = db.prepare('INSERT INTO facts(rowid, content) VALUES (?, ?)')
    db.exec('BEGIN')
    facts.forEach((fact, id) => {
      insert.run(id + 1, content(fact))
    })
    db.exec('COMMIT')
    const match = db.prepare(
      `SELECT rowid FROM facts WHERE facts MATCH ? ORDER BY rank LIMIT ${LIMIT}`,
    )
    const like = db.prepare(`SELECT rowid FROM facts WHERE content LIKE ? LIMIT ${LIMIT}`)
    const ask = (query) => {
      const words = query.split(/[^\p{L}\p{N}._/-]+/u).filter(Boolean)
      // Trigrams know no word of two characters, and most Chinese words have two.
      const long = words.filter((word) => [...word].length > 2)
      if (long.length === 0) return some(like.all(`%${words[0] ?? ''}%`))
      return some(match.all(long.map((word) => `"${word}"`).join(' OR ')))
    }
    const pragma = (name) => db.prepare(`PRAGMA ${name}`).get()[name]
    return { ask, bytes: () => pragma('page_count') * pragma('page_size') }
  }
  return { build }
}

/** No index: small letters once, then every word in every fact. */
export function scan(_settings, facts) {
  const build = () => {
    const texts = facts.map((fact) => content(fact).toLowerCase())
    const ask = (query) => {
      const words = query.toLowerCase().split(/\s+/)
      const hits = []
      texts.forEach((text, id) => {
        let score = 0
        for (const word of words) if (text.includes(word)) score += 1
        if (score > 0) hits.push({ id, score })
      })
      return some(hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, LIMIT))
    }
    return { ask }
  }
  return { build }
}
