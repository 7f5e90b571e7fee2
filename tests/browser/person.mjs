/**
 * What a person does in the host's page. Things are found by role and name, as
 * a screen reader finds them.
 */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { DSH_E2E_CHROMIUM, DSH_E2E_PLAYWRIGHT, DSH_E2E_SCREENSHOTS, URL_OF_HOST } = process.env
const { chromium } = await import(pathToFileURL(DSH_E2E_PLAYWRIGHT).href)

/** The words of the host and of the page that scenes click on. */
export const words = {
  en: { lang: 'en-US', settings: 'Settings', memory: 'Memory', go: 'Continue' },
  zh: { lang: 'zh-CN', settings: '设置', memory: '记忆', go: '继续' },
}

/** Opens a browser whose windows all close with it. */
export function browser() {
  return chromium.launch({
    executablePath: DSH_E2E_CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

/**
 * Opens the host's page in a window of its own.
 * @returns {Promise<Person>}
 */
export async function arrive(
  browser,
  {
    lang = 'en',
    theme = 'light',
    width = 1200,
    height = 860,
    permissions = ['clipboard-read', 'clipboard-write'],
  } = {},
) {
  const context = await browser.newContext({
    locale: words[lang].lang,
    colorScheme: theme,
    viewport: { width, height },
    permissions,
  })
  const page = await context.newPage()
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(URL_OF_HOST)
  const person = new Person(page, words[lang], complaints)
  await person.welcomed()
  return person
}

export class Person {
  constructor(page, said, complaints) {
    Object.assign(this, { page, said, complaints })
  }

  /** The first visit of a home shows a notice. */
  async welcomed() {
    const go = this.page.getByRole('button', { name: this.said.go })
    const settings = this.page.getByRole('button', { name: this.said.settings, exact: true })
    await go.or(settings).first().waitFor()
    if (await go.isVisible().catch(() => false)) await go.click()
  }

  /** Opens the section; returns it. */
  async openMemory() {
    await this.page.getByRole('button', { name: this.said.settings, exact: true }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByRole('button', { name: this.said.memory, exact: true }).click()
    return dialog
  }

  async closeSettings() {
    await this.page.keyboard.press('Escape')
  }

  async picture(name) {
    await this.page.screenshot({ path: join(DSH_E2E_SCREENSHOTS, `${name}.png`) })
  }
}
