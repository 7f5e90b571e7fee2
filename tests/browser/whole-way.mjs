/** A person's whole way: ask, allow, look, filter, copy, paste, allow, gone. */

import assert from 'node:assert/strict'
import { arrive, play } from './person.mjs'

const { WORKSPACE, TEXT } = process.env

await play('whole-way', async (browser) => {
  const person = await arrive(browser)
  const { page } = person
  const allow = page.getByRole('button', { name: 'Allow once' })
  const details = page.getByRole('group', { name: 'Approval details' })

  await person.chooseWorkspace(WORKSPACE)
  await person.prompt().fill(`Please remember: ${TEXT}`)
  await person.prompt().press('Enter')
  await allow.waitFor()
  assert.match(await details.textContent(), new RegExp(TEXT), 'the card shows what will be stored')
  await person.picture('approval')
  await allow.click()
  await page.getByText('done', { exact: true }).first().waitFor()

  const section = await person.openMemory()
  const fact = section.getByRole('listitem').filter({ hasText: TEXT })
  await fact.waitFor()
  const search = section.getByRole('searchbox')
  await search.fill('kubernetes')
  await section.getByText('No fact matches.').waitFor()
  assert.equal(await fact.count(), 0, 'the filter leaves it out')
  await search.fill('ＴＨＵＲＳＤＡＹＳ')
  await fact.waitFor()
  await fact.getByRole('button', { name: /Copy the line that forgets/ }).click()
  await fact.getByText(WORKSPACE).waitFor()
  await person.picture('copied')

  await person.closeSettings()
  await person.prompt().focus()
  await page.keyboard.press('ControlOrMeta+V')
  assert.match(await person.prompt().inputValue(), /^memory_forget id: "[^"]+"$/)
  await person.prompt().press('Enter')
  await allow.waitFor()
  assert.match(await details.textContent(), new RegExp(TEXT), 'the card shows what will be gone')
  await allow.click()
  await page.getByText('done', { exact: true }).nth(1).waitFor()

  await person.openMemory()
  await section.getByText('Nothing is remembered yet.').waitFor()
  assert.deepEqual(person.complaints, [], 'the page throws nothing')
})
