// The console in a browser, for tests: a page of it, logging in, pictures of the guide, and what axe says of a page.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import type { StartOptions, TestApi } from './api.ts';
import { adminPassword, startTestApi } from './api.ts';
import { findBrowser, startBrowser, watch } from './browser.ts';
import type { TestBrowser, Watched } from './browser.ts';
import { isLong } from './long.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

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
  /** Goes there from a page of the console, as by a link: nothing is loaded anew, which takes half of what a page takes. */
  go(to: string): Promise<unknown>;
  /** Fills in the login that is shown. */
  logIn(password?: string, username?: string): Promise<void>;
  /** Makes a picture of the guide, where pictures are asked for (CONSOLE_PICTURES). */
  picture(name: string): Promise<void>;
  /** What axe finds wrong with the page as it is, in light and dark; of a part alone where the rest has been looked at: a form of a thousand choices takes seconds. */
  faults(within?: Locator): Promise<readonly string[]>;
};

/** Opens a page in a session of its own. */
export async function openConsole(
  browser: TestBrowser,
  api: TestApi,
  { viewport = { width: 1100, height: 720 }, locale = 'en-GB' } = {},
): Promise<ConsolePage> {
  const page = await browser.newPage({ viewport, locale });
  page.setDefaultTimeout(300_000);
  return {
    page,
    watched: watch(page),
    open: (to = '') => page.goto(`${api.url}/console${to}`),
    go: (to) =>
      page.evaluate(`history.pushState(null, '', '/console${to}'); dispatchEvent(new PopStateEvent('popstate'));`),
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
    faults: (within) => barriers(page, within ?? page.locator(':root')),
  };
}

/** A service of its own with a repository, and its console in a browser, where the administrator is logged in. */
export type ServedConsole = AsyncDisposable & {
  readonly api: TestApi;
  readonly browser: TestBrowser;
  readonly console: ConsolePage;
  readonly page: Page;
  /** The uri of the repository. */
  readonly repository: string;
};

/** Starts all that, with the browser at `path`. Where the browser asks whether an unsaved form may be left, it may. */
export async function serveConsole(path: string | null, options: StartOptions = {}): Promise<ServedConsole> {
  await using started = new AsyncDisposableStack();
  const api = started.use(await startTestApi(options));
  const repository = `/repositories/${await api.repository('HARBOUR')}`;
  const browser = await startBrowser(path ?? '');
  started.defer(() => browser.close());
  const console = await openConsole(browser, api);
  const { page } = console;
  page.on('dialog', (dialog) => void dialog.accept());
  await console.open();
  await console.logIn();
  await page.locator('main .find').waitFor();
  const kept = started.move();
  return { api, browser, console, page, repository, [Symbol.asyncDispose]: async () => kept.disposeAsync() };
}

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

// Runs in the browser, for the root element or a part. What is wrong alone is gathered and leaves the page: all that passes, with its elements, is a
// hundred times as much. Of a long list of choices the first ones and what is chosen stay while axe looks: all are made alike, axe goes through every
// element of the page for a part of it too, and nine tenths of a form are its lists of languages, which took three quarters of the time. In a long run all of it is looked at.
async function wrong(
  part: unknown,
  { options, isWhole }: { readonly options: object; readonly isWhole: boolean },
): Promise<readonly string[]> {
  const { axe, document } = globalThis as any;
  const choices = isWhole ? [] : [...document.querySelectorAll('option')];
  const further = choices.filter(({ index, selected }) => index > 3 && !selected);
  const places = further.map((choice) => [choice, choice.parentNode, choice.nextSibling]);
  for (const choice of further) choice.remove();
  try {
    const { violations } = await axe.run(part, options);
    return violations.map(({ id, nodes }: Violation) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  } finally {
    for (const [choice, list, next] of places.toReversed()) list.insertBefore(choice, next);
  }
}

// The small form, and straight into the page: `evaluate` would have it parsed as an expression first, then as what it is. Both cost thrice as much.
async function loadAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe });
  await session.detach();
}

async function barriers(page: Page, within: Locator): Promise<readonly string[]> {
  const found: string[] = [];
  // A page that was not loaded anew has it still.
  if (!(await page.evaluate("'axe' in window"))) await loadAxe(page);
  // Of what axe looks for, colours alone differ in the dark.
  for (const [colorScheme, options] of [
    ['dark', { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] }],
    ['light', { resultTypes: ['violations'] }],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(
      ...(await within.evaluate(wrong, { options, isWhole: isLong })).map((fault) => `${colorScheme} ${fault}`),
    );
  }
  return found;
}
