// A browser for tests of pages: a Chromium that is installed on the machine, without a window. CHROMIUM_TEST names another one than is found.
import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a browser, or null where the machine has none. */
export function findBrowser(): string | null {
  const named = process.env['CHROMIUM_TEST'];
  return [...(named === undefined ? [] : [named]), ...usual].find((path) => existsSync(path)) ?? null;
}

/** Starts a browser that speaks to nobody by itself. */
export const launchBrowser = async (executablePath: string, ...more: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });

/** A browser as a test file has it: pages in sessions of their own, which `close` ends. */
export type TestBrowser = {
  newPage(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
};

// One for all files that run one after another in this process, and it ends with the process: it takes a second of a processor to start.
let running: Promise<Browser> | undefined;

// One renderer serves all pages of a session: a further page costs two thirds. What people have, which benchmarks measure, is otherwise. What paints
// keeps a process of its own: a browser that had it within itself was seen to crash at its start.
const fewProcesses = ['--process-per-site', '--disable-site-isolation-trials'];

async function launchForAll(executablePath: string): Promise<Browser> {
  const browser = await launchBrowser(executablePath, ...fewProcesses);
  // One that has crashed is no browser for the next file.
  browser.once('disconnected', () => (running = undefined));
  return browser;
}

/** The browser of this process, started when it is first asked for. */
export async function startBrowser(executablePath: string): Promise<TestBrowser> {
  const browser = await (running ??= launchForAll(executablePath));
  const sessions: BrowserContext[] = [];
  return {
    newPage: async (options) => {
      const session = await browser.newContext(options);
      sessions.push(session);
      return session.newPage();
    },
    close: async () => {
      await Promise.all(sessions.map((session) => session.close()));
      sessions.length = 0;
    },
  };
}

/** What a page did: the addresses it asked for, and what it broke: errors of scripts, and of the policy that it came under. */
export type Watched = { readonly asked: string[]; readonly broken: string[] };

/** Watches a page from now on. */
export function watch(page: Page): Watched {
  const watched: Watched = { asked: [], broken: [] };
  page.on('request', (request) => void watched.asked.push(request.url()));
  page.on('pageerror', (error) => void watched.broken.push(String(error)));
  page.on('console', (message) => {
    // Statuses of 400 and above are told there too, which are no faults of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      watched.broken.push(message.text());
  });
  return watched;
}
