/** Opens the section and takes a picture of it. */

import { arrive, browser } from './person.mjs'

const chromium = await browser()
try {
  const person = await arrive(chromium)
  await person.picture('0-arrived')
  await person.openMemory()
  await person.page.getByText('Builds use pnpm').waitFor()
  await person.picture('0-section')
  console.log(person.complaints)
} finally {
  await chromium.close()
}
