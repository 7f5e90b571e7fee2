/** Pages of others, open in the same browser, try to read what is remembered. */

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { arrive, play } from './person.mjs'

const { URL_OF_HOST, SECRET } = process.env
const host = new URL(URL_OF_HOST)
const route = '/dsh-native-memory/facts'

/** Runs in a page: every way to ask, and what came of it. */
async function attempt(url) {
  const ours = { 'x-dsh-native-memory': '1' }
  const read = (options) =>
    fetch(url, options)
      .then(async (response) => `${response.type} ${response.status} ${await response.text()}`)
      .catch((error) => String(error))
  const load = (tag, attribute, more = {}) =>
    new Promise((resolve) => {
      const element = Object.assign(document.createElement(tag), more)
      element.onload = () => resolve(`${tag} loaded`)
      element.onerror = () => resolve(`${tag} refused`)
      element[attribute] = url
      document.head.append(element)
    })
  return [
    await read({}),
    await read({ headers: ours }),
    await read({ mode: 'no-cors' }),
    await read({ mode: 'no-cors', headers: ours }),
    await read({ credentials: 'include', headers: ours }),
    await read({ method: 'POST', mode: 'no-cors', body: 'a=b' }),
    await load('img', 'src'),
    await load('script', 'src'),
    await load('link', 'href', { rel: 'stylesheet' }),
  ]
}

const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><head></head><body>another page</body>')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const elsewhere = server.address().port

await play(
  'attack',
  async (browser) => {
    // The host's own page, so that the others do not fail for another reason.
    const person = await arrive(browser)
    const own = await person.page.evaluate(attempt, route)
    assert(own[1].includes(SECRET), `the host's own page reads it: ${own[1]}`)
    assert(!own[0].includes(SECRET), 'but not without our header')

    const page = await (await browser.newContext()).newPage()
    const answers = []
    page.on('response', async (response) => {
      if (!response.url().endsWith(route)) return
      answers.push([response.status(), await response.text().catch(() => '')])
    })
    for (const address of [
      // Another port, another name of the same port, and a name rebound to us.
      `http://127.0.0.1:${elsewhere}/`,
      `http://localhost:${elsewhere}/`,
      `http://evil.example:${elsewhere}/`,
    ]) {
      await page.goto(address)
      const got = await page.evaluate(attempt, `${host.origin}${route}`)
      assert(!got.join().includes(SECRET), `${address} read it: ${got}`)
    }
    await page.goto(`http://evil.example:${host.port}/`)
    const rebound = await page.evaluate(attempt, route)
    assert(!rebound.join().includes(SECRET), `a rebound name read it: ${rebound}`)
    assert(rebound[1].includes('403'), `a rebound name is refused by us: ${rebound[1]}`)

    await page.goto(`http://127.0.0.1:${elsewhere}/`)
    await page.setContent(
      `<iframe src="${host.origin}${route}"></iframe>
       <form action="${host.origin}${route}"><button>go</button></form>`,
    )
    const frame = page.frames().at(-1)
    assert(!(await frame.content()).includes(SECRET), 'a frame shows nothing')
    await page.getByRole('button').click()
    await page.waitForURL(`${host.origin}${route}?`)
    assert(!(await page.content()).includes(SECRET), 'a form shows nothing')
    for (const [status, text] of answers) {
      assert.notEqual(status, 200)
      assert(!text.includes(SECRET))
    }
    assert(answers.length > 0, 'some of them reached the host')
    console.log(`attack: ${answers.length} requests reached the host, none was answered`)
  },
  ['--host-resolver-rules=MAP evil.example 127.0.0.1'],
)
server.close()
server.closeAllConnections()
