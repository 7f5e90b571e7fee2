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

/** In windows of fewer px the host folds its sidebar. */
const NARROW = 800

/**
 * Plays a scene in a browser whose windows all close with it. Where it fails,
 * what stood on the page is kept beside the other pictures.
 */
export async function play(name, scene, more = []) {
  const opened = await browser(more)
  try {
    await scene(opened)
  } catch (error) {
    for (const page of opened.contexts().flatMap((context) => context.pages())) {
      await page.screenshot({ path: join(DSH_E2E_SCREENSHOTS, `failed-${name}.png`) })
      console.log(await page.locator('body').ariaSnapshot())
    }
    throw error
  } finally {
    await opened.close()
  }
}

function browser(more) {
  return chromium.launch({
    executablePath: DSH_E2E_CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...more,
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

  /** The first visit of a home shows a notice, sooner or later. */
  async welcomed() {
    const go = this.page.getByRole('button', { name: this.said.go, exact: true })
    await this.page.addLocatorHandler(go, () => go.click())
    await this.page.locator('textarea').first().waitFor()
  }

  /** Opens the section; returns it. */
  async openMemory() {
    if (this.page.viewportSize().width < NARROW) {
      await this.page.getByRole('button', { name: 'Open sidebar' }).click()
    }
    await this.page.getByRole('button', { name: this.said.settings, exact: true }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByRole('button', { name: this.said.memory, exact: true }).click()
    return dialog
  }

  async closeSettings() {
    await this.page.keyboard.press('Escape')
  }

  /** Opens a folder to work in, in the host's English. */
  async chooseWorkspace(path) {
    await this.page.getByRole('button', { name: 'Choose workspace' }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Edit path' }).click()
    await dialog.getByRole('textbox').fill(path)
    await dialog.getByRole('textbox').press('Enter')
    await dialog.getByRole('button', { name: 'Open', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  /** Where a person writes to the model. */
  prompt() {
    return this.page.locator('textarea').last()
  }

  /** Closes the window. */
  async leave() {
    await this.page.context().close()
  }

  async picture(name) {
    const path = join(DSH_E2E_SCREENSHOTS, `${name}.png`)
    await this.page.screenshot({ path, animations: 'disabled' })
  }
}
