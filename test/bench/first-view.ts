// How soon the console stands: from the moment that a browser asks for /console with an empty cache until the first results are painted, with the browser's
// processor as it is, and slowed to a half and a quarter (as of an old laptop). Beside it a page of one word from the same service: what the browser itself takes.
// The service, its database and the browser share this machine. Needs a Chromium (CHROMIUM_TEST names one that is not found).
import type { Browser } from 'playwright-core';
import { findBrowser, launchBrowser } from '../support/browser.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { connectClient } from './processes/client.ts';
import { adminPassword, startProcess } from './processes/spawn.ts';
import { importReadData } from './read-data.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 2000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 9);
const slowness = [1, 2, 4];
const [wantedMs, wantedKilobytes] = [1000, 150];
const restMs = 2500;

/** Somebody who is logged in: what a browser keeps of that. */
type Session = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;

/** What one view took: milliseconds, requests, and kilobytes over the network. */
type View = { readonly ms: number; readonly requests: number; readonly kilobytes: number };

/** Measures; some two minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  const path = findBrowser();
  if (path === null) throw new Error('no Chromium on this machine: CHROMIUM_TEST names one');
  return await onOwnServer(async ({ url, folder }) => {
    const settings = { DATABASE_URL: url, MUNIMENT_DATA_DIR: folder };
    await using api = await startProcess('apps/api/main.ts', settings);
    await using _worker = await startProcess('apps/worker/main.ts', settings);
    await importReadData(await connectClient(api.url), components, 1);
    await using browser = await launchBrowser(path);
    const session = await logIn(browser, api.url);
    const view = (slowed: number, to: string, shown: string): Promise<View> =>
      look(browser, session, { to: `${api.url}${to}`, shown, slowed });
    const measured = new Map<number, { readonly console: View[]; readonly word: View[] }>();
    for (const slowed of slowness) measured.set(slowed, { console: [], word: [] });
    // Turn about, so that whatever else the machine does meets all alike; the first round warms everything.
    for (let round = 0; round <= rounds; round++)
      for (const [slowed, views] of measured) {
        const both = [await view(slowed, '/console', '.results .title'), await view(slowed, '/health/live', 'body')];
        if (round === 0) continue;
        views.console.push(both[0] as View);
        views.word.push(both[1] as View);
      }
    const times = [...measured].map(([slowed, views]) => {
      const value = medianOf(views.console.map(({ ms }) => ms));
      return {
        name: `first view with results, the browser's processor ${slowed === 1 ? 'as it is' : `slowed ${slowed} times`}, beside a page of one word`,
        value: rounded(value),
        unit: 'ms',
        baseline: rounded(medianOf(views.word.map(({ ms }) => ms))),
        target: wantedMs,
        pass: value <= wantedMs,
      };
    });
    const [first] = measured.get(1)?.console ?? [];
    const kilobytes = first?.kilobytes ?? Number.NaN;
    return [
      ...times,
      {
        name: `what it loads, in ${first?.requests} requests`,
        value: rounded(kilobytes),
        unit: 'KB',
        target: wantedKilobytes,
        pass: kilobytes <= wantedKilobytes,
      },
    ];
  });
}

/** Logs in as the administrator, and waits until results stand. */
async function logIn(browser: Browser, url: string): Promise<Session> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${url}/console`);
  await page.getByLabel('User', { exact: true }).fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(adminPassword);
  await page.keyboard.press('Enter');
  const shown = page.locator('.results .title').first();
  // What was imported may not be in the index yet.
  while (!(await shown.isVisible())) {
    await page.waitForTimeout(1000);
    if (!(await shown.isVisible())) await page.reload();
    await page.waitForTimeout(1000);
  }
  const session = await context.storageState();
  await context.close();
  return session;
}

/** Opens an address with an empty cache and waits until what is asked for is painted. */
async function look(
  browser: Browser,
  storageState: Session,
  { to, shown, slowed }: { readonly to: string; readonly shown: string; readonly slowed: number },
): Promise<View> {
  const context = await browser.newContext({ locale: 'en-GB', storageState });
  try {
    const page = await context.newPage();
    // A window of Chromium loads parts of its own at first (chrome://omnibox-popup.top-chrome), which are no part of the page.
    await page.waitForTimeout(restMs);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowed });
    await devtools.send('Network.enable');
    let [requests, bytes] = [0, 0];
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      requests += 1;
      bytes += encodedDataLength;
    });
    await page.goto(to, { waitUntil: 'commit' });
    // In the page's own words: this program has no DOM.
    const ms = await page.evaluate<number>(`new Promise((resolve) => {
      const find = () =>
        document.querySelector(${JSON.stringify(shown)}) === null
          ? requestAnimationFrame(find)
          : requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      find();
    })`);
    return { ms, requests, kilobytes: bytes / 1000 };
  } finally {
    await context.close();
  }
}

if (import.meta.main) console.table(await run());
