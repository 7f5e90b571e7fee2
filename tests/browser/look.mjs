/** Opens the section and takes a picture of it. */

import { arrive, browser } from './person.mjs'

const chromium = await browser()
try {
  const person = await arrive(chromium, { lang: 'en', theme: 'light' })
  const dialog = await person.openMemory()
  await person.page.getByText('Builds use pnpm').waitFor()
  await dialog.getByLabel('Order').scrollIntoViewIfNeeded()
  await dialog.getByText('Facts over time').first().evaluate((e) => e.scrollIntoView())
  await person.picture('look-facts')
  await person.page.setViewportSize({ width: 420, height: 900 })
  await person.picture('look-narrow')
  await dialog.getByText('Headings in').first().evaluate((e) => e.scrollIntoView())
  await person.picture('look-narrow-facts')
} finally {
  await chromium.close()
}
