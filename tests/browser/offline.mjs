/** The section where the host's storage does not open, or holds nothing. */

import { arrive, play } from './person.mjs'

const { STATE, SAYS } = process.env

await play(STATE, async (browser) => {
  const person = await arrive(browser)
  const section = await person.openMemory()
  await section.locator(`[data-state="${STATE}"]`).waitFor()
  await section.getByText(SAYS).first().waitFor()
  await person.picture(STATE)
})
