// The console in a browser, for tests: a page of it, logging in, pictures of the guide, and what axe says of a page.
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from './api.ts';
import { adminPassword } from './api.ts';
import { findBrowser, watch } from './browser.ts';
import type { Watched } from './browser.ts';

/** The path of a browser; null where the machine has none, which is said. */
export function browserForConsole(): string | null {
  const path = findBrowser();
  if (path === null)
    console.warn('No Chromium on this machine: /console is NOT TESTED. CHROMIUM_TEST names one that is elsewhere.');
  return path;
}

/** A page of the console, with what went wrong in it. */
export type ConsolePage = {
  readonly page: Page;
  readonly watched: Watched;
  /** Goes to an address below /console. */
  open(to?: string): Promise<unknown>;
  /** Fills in the login that is shown. */
  logIn(password?: string, username?: string): Promise<void>;
  /** Makes a picture of the guide, where pictures are asked for (CONSOLE_PICTURES). */
  picture(name: string): Promise<void>;
  /** What axe finds wrong with the page as it is, in light and dark. */
  faults(): Promise<readonly string[]>;
};

/** Opens a page in a session of its own. */
export async function openConsole(
  browser: Browser,
  api: TestApi,
  { viewport = { width: 1100, height: 720 }, locale = 'en-GB' } = {},
): Promise<ConsolePage> {
  const page = await browser.newPage({ viewport, locale });
  page.setDefaultTimeout(300_000);
  return {
    page,
    watched: watch(page),
    open: (to = '') => page.goto(`${api.url}/console${to}`),
    async logIn(password = adminPassword, username = 'admin') {
      const [user, secret] = locale.startsWith('de') ? ['Benutzer', 'Passwort'] : ['User', 'Password'];
      await page.getByLabel(user ?? '', { exact: true }).fill(username);
      await page.getByLabel(secret ?? '', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
    },
    async picture(name) {
      const folder = process.env['CONSOLE_PICTURES'];
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
    },
    faults: () => barriers(page),
  };
}

async function barriers(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  await page.evaluate(axe.source);
  // Of what axe looks for, colours alone differ in the dark.
  for (const [colorScheme, run] of [
    ['dark', "axe.run({ runOnly: { type: 'rule', values: ['color-contrast'] } })"],
    ['light', 'axe.run()'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const result: axe.AxeResults = await page.evaluate(run);
    found.push(
      ...result.violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    );
  }
  return found;
}
