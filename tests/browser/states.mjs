/** Every state of the section, in both languages and themes, narrow, by keyboard. */

import assert from 'node:assert/strict'
import { arrive, play } from './person.mjs'

const ROUTE = '**/dsh-native-memory/facts'

const lead = (section, state) => section.locator(`[data-state="${state}"]`)

/** Everything that is shown, in the words of the language. */
async function facts(browser, lang, theme, word) {
  const person = await arrive(browser, { lang, theme })
  const section = await person.openMemory()
  await section.getByText('Builds use pnpm').waitFor()
  await section.getByText(word.proposals).waitFor()
  await section.getByText(word.alarms).waitFor()
  await section.getByRole('img', { name: word.chart }).waitFor()
  const html = await section.innerHTML()
  assert(!/ghp_[A-Za-z0-9]/.test(html), 'secrets are masked')
  assert.equal(await section.locator('.dnm b').count(), 0, 'markup in a fact is text')
  const colour = (part) => part.evaluate((element) => getComputedStyle(element).color)
  const [red, green, blue] = (await colour(section.locator('.dnm')))
    .match(/\d+(\.\d+)?/g)
    .map(Number)
  assert.equal(
    red + green + blue < 384,
    theme === 'light',
    'the text is in the colour of the theme',
  )
  await person.picture(`facts-${lang}-${theme}`)
  await section.getByText('Builds use pnpm').scrollIntoViewIfNeeded()
  await person.picture(`facts-${lang}-${theme}-below`)
  assert.deepEqual(person.complaints, [])
  await person.leave()
}

/** What a filter leaves, and what two folders of one name look like. */
async function filters(browser) {
  const person = await arrive(browser)
  const section = await person.openMemory()
  const shown = section.locator('.dnm-workspace .dnm-fact')
  await shown.nth(8).waitFor()
  assert.equal(await section.getByRole('heading', { name: /^app / }).count(), 2)
  await section.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('decision')
  assert.equal(await shown.count(), 2)
  await section.getByRole('combobox', { name: 'Order', exact: true }).selectOption('longest')
  assert.match(await shown.first().textContent(), /release is cut/)
  await section.getByRole('button', { name: 'Show all' }).click()
  await section.getByRole('button', { name: 'Show less' }).waitFor()
  await section.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('')
  await section.getByRole('button', { name: 'Only facts tagged 中文' }).click()
  assert.equal(await shown.count(), 1)
  await section.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('')
  const path = section.getByRole('combobox', { name: 'Workspace', exact: true })
  await path.selectOption({ index: 1 })
  assert.equal(await shown.count(), 2)
  await section.getByRole('searchbox').fill('nothing of the kind')
  await lead(section, 'no-match').waitFor()
  await person.picture('no-match')
  await section.getByRole('button', { name: 'Clear the filters' }).click()
  assert.equal(await shown.count(), 9)
  await person.leave()
}

/** A narrow window cuts nothing off sideways. */
async function narrow(browser) {
  const person = await arrive(browser, { width: 420, height: 900 })
  const section = await person.openMemory()
  await section.getByText('Headings in').scrollIntoViewIfNeeded()
  const over = await section
    .locator('.dnm')
    .evaluate((element) => element.scrollWidth - element.clientWidth)
  assert(over <= 1, `${over} px stand out sideways`)
  await person.picture('narrow')
  await person.leave()
}

/** The keyboard alone reaches the copy button; a refusing clipboard shows the line. */
async function keyboard(browser) {
  const person = await arrive(browser, { permissions: [] })
  const { page } = person
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new Error('refused'))
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: refuse, write: refuse } })
    document.execCommand = () => false
  })
  await page.reload()
  const section = await person.openMemory()
  await section.getByText('Headings in').waitFor()
  await section.getByRole('searchbox').focus()
  await page.keyboard.type('headings')
  const forget = section.getByRole('button', { name: /forgets: Headings/ })
  for (let presses = 0; presses < 12; presses += 1) {
    if (await forget.evaluate((button) => button === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  const line = section.getByRole('textbox', { name: 'Line to copy' })
  await line.waitFor()
  assert.match(await line.inputValue(), /^memory_forget id: "fact-8"$/)
  const chosen = await line.evaluate((input) => input.selectionEnd - input.selectionStart)
  assert.equal(chosen, (await line.inputValue()).length, 'the line is selected for copying')
  await person.picture('clipboard-refused')
  await person.leave()
}

/** Loading, offline and error are told apart; what was read stays. */
async function failures(browser) {
  const person = await arrive(browser)
  const { page } = person
  let go
  const held = new Promise((resolve) => {
    go = resolve
  })
  await page.route(ROUTE, async (route) => {
    await held
    await route.continue()
  })
  const section = await person.openMemory()
  await lead(section, 'loading').waitFor()
  await person.picture('loading')
  go()
  await section.getByText('Headings in').waitFor()

  await page.unroute(ROUTE)
  await page.route(ROUTE, (route) => route.abort())
  await section.getByRole('button', { name: 'Refresh' }).click()
  await lead(section, 'error').waitFor()
  await section.getByText('What you see below is from').waitFor()
  await section.getByText('Headings in').waitFor()
  await person.picture('error')
  await page.unroute(ROUTE)
  await section.getByRole('button', { name: 'Try again' }).click()
  await lead(section, 'error').waitFor({ state: 'detached' })
  await person.leave()
}

await play('states', async (browser) => {
  const en = { proposals: 'Waiting for you', alarms: 'Worth checking', chart: /Facts by the day/ }
  const zh = { proposals: '等待您决定', alarms: '值得核对', chart: /按首次保存日期统计/ }
  await facts(browser, 'en', 'light', en)
  await facts(browser, 'en', 'dark', en)
  await facts(browser, 'zh', 'light', zh)
  await facts(browser, 'zh', 'dark', zh)
  await filters(browser)
  await narrow(browser)
  await keyboard(browser)
  await failures(browser)
})
