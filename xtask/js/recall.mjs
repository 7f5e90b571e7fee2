/**
 * Lets one contestant of `cargo xtask bench recall` answer the queries and writes
 * how long each took. The argument is JSON; `xtask/src/bench/recall.rs` makes it.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { engine } from './engine.mjs'
import { flexsearch, fts5, minisearch, scan } from './rivals.mjs'

const WARM_UP = 50
/** Queries that are measured even when they take longer than the budget. */
const FEWEST = 200

/** Each returns `{ build }`, which gives `{ ask, bytes? }`; or `{ skipped }`. */
const CONTESTANTS = {
  wasm: (settings, facts) => engine(settings, facts, 20),
  'wasm, 1 hit': (settings, facts) => engine(settings, facts, 1),
  flexsearch,
  minisearch,
  'fts5 trigram': fts5,
  'plain scan': scan,
}

const settings = JSON.parse(process.argv[2])
const lines = (path) => readFileSync(path, 'utf8').trimEnd().split('\n').map(JSON.parse)
const facts = lines(settings.facts)
const queries = lines(settings.queries)

writeFileSync(settings.out, JSON.stringify(await measure()))

async function measure() {
  const contest = await CONTESTANTS[settings.contestant](settings, facts)
  if (contest.skipped) return contest
  const before = heap()
  const start = performance.now()
  const { ask, bytes } = contest.build()
  const buildMs = performance.now() - start
  const held = bytes?.() ?? heap() - before
  // What is answered must be something, or the numbers mean nothing.
  const answered = queries.slice(0, WARM_UP).filter((query) => ask(query)).length
  if (answered * 2 < WARM_UP) throw new Error(`answered only ${answered} of ${WARM_UP} queries`)
  const samples = []
  const begin = performance.now()
  for (let n = 0; n < FEWEST || performance.now() - begin < settings.budgetMs; n += 1) {
    const query = queries[n % queries.length]
    const asked = performance.now()
    ask(query)
    samples.push((performance.now() - asked) * 1000)
  }
  return { buildMs, bytes: held, samples }
}

function heap() {
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
