// All six views from a service that holds nothing, with a real finding aid and keys alone: what has the focus is seen at each stop, and axe looks at each view.
// The finding aid of long runs is a published one where the folder of real data is present, else it is that of the first session in README.md.
// Other runs leave axe to the files of the views in this folder, which have it look at each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fast } from '#test/integration/cli/archive-of-all-kinds.ts';
import { filesForTests, runCli } from '#test/integration/cli/run-cli.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import { enter, hasFocus, tabTo } from '#test/support/console-keys.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import { holding } from '#test/support/held-table.ts';
import { isLong } from '#test/support/long.ts';
import { readArchive, realDataFolder } from '#test/support/real-data.ts';
import { projectRoot } from '#test/support/service.ts';

const path = browserForConsole();
const files = filesForTests();
const archive = join(files.folder, 'archive');
const report = join(files.folder, 'differences.ndjson');

function findingAid(): { readonly name: string; readonly mimeType: string; readonly buffer: Buffer } {
  const folder = realDataFolder();
  const found =
    folder === undefined || !isLong
      ? undefined
      : readArchive(folder, 'ead.tar.gz').find(({ name }) => name === 'nyu__fales-mss_193.xml');
  return {
    name: 'finding-aid.xml',
    mimeType: 'text/xml',
    buffer: Buffer.from(found?.bytes ?? readFileSync(`${projectRoot}test/fixtures/formats/ead/harbour.xml`)),
  };
}

describe.skipIf(path === null)('the console by keys alone', () => {
  let api: TestApi;
  let browser: TestBrowser;
  let page: Page;
  let console: ConsolePage;
  let resource: string;
  let title: string;
  beforeAll(async () => {
    // Nobody listens there: a reading that is begun says so.
    api = await startTestApi({ environment: { MUNIMENT_MIGRATION_SOURCES: 'http://127.0.0.1:9' } });
    browser = await startBrowser(path ?? '');
    console = await openConsole(browser, api);
    ({ page } = console);
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
  });

  const looksAtIt = async (): Promise<void> => {
    if (isLong) expect(await console.faults()).toEqual([]);
  };
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const goTo = async (view: string): Promise<void> => {
    const link = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: view, exact: true });
    await enter(page, link, 'Shift+Tab');
    await page.getByRole('heading', { level: 1, name: view }).waitFor();
  };
  const chooseFile = async (): Promise<void> => {
    await tabTo(page, page.locator('input[type=file]'));
    await page.locator('input[type=file]:focus').setInputFiles(findingAid());
  };

  it('logs in, and makes the first repository', async () => {
    await console.open('/import');
    await page.getByLabel('User', { exact: true }).waitFor();
    await tabTo(page, page.getByLabel('User', { exact: true }));
    await page.keyboard.type('admin');
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(adminPassword);
    await page.keyboard.press('Enter');
    const first = page.getByRole('link', { name: 'Make the first repository' });
    await first.waitFor();
    await expect.poll(() => hasFocus(page)).toBe(true);
    await enter(page, first);
    await tabTo(page, page.getByLabel('Repo code', { exact: true }));
    await page.keyboard.type('HARBOUR');
    await tabTo(page, page.getByLabel('Name', { exact: true }));
    await page.keyboard.type('Archive of the harbour');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: 'Archive of the harbour' }).waitFor();
    await looksAtIt();
  });

  it('checks a finding aid, runs the check again, cancels an import, and imports it', async () => {
    await goTo('Import');
    await chooseFile();
    await enter(page, button('Take finding-aid.xml away'));
    await page.locator('form.import').waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(page)).toBe(true);
    await chooseFile();
    await looksAtIt();
    await enter(page, button('Check only'));
    await page.locator('.log', { hasText: 'the files can be imported' }).waitFor();
    await page.locator('.status.completed').waitFor();
    const checked = page.url();
    await enter(page, button('Run again'));
    await page.waitForURL((url) => url.href !== checked);
    await page.locator('.status.completed').waitFor();
    await holding(api.database, { table: 'change', against: 'writers' }, async (isMet) => {
      await goTo('Import');
      await chooseFile();
      await enter(page, button('Import'));
      await isMet();
      await enter(page, button('Cancel this job'));
      await page.locator('.status.canceled').waitFor();
      await button('Cancel this job').waitFor({ state: 'detached' });
      await expect.poll(() => hasFocus(page)).toBe(true);
    });
    await goTo('Import');
    await chooseFile();
    await enter(page, button('Import'));
    await page.getByRole('heading', { name: /came in or were changed/ }).waitFor();
    await looksAtIt();
    const [found] = (await api.get('/repositories/2/resources?all_ids=true')).json;
    resource = `/repositories/2/resources/${found}`;
    ({ title } = (await api.get(resource)).json);
  });

  it('goes through the jobs to one of them', async () => {
    await goTo('Jobs');
    const jobs = page.getByRole('region', { name: 'Ended' }).getByRole('link');
    await expect.poll(() => jobs.count()).toBe(4);
    await looksAtIt();
    await enter(page, jobs.first());
    await page.getByRole('heading', { name: 'Log' }).waitFor();
    await tabTo(page, button('finding-aid.xml'));
    const downloading = page.waitForEvent('download');
    await page.keyboard.press('Space');
    expect((await downloading).suggestedFilename()).toBe('finding-aid.xml');
  });

  it('finds the collection, reads it, and walks its tree', async () => {
    await expect
      .poll(async () => (await api.get('/repositories/2/search?page=1&type[]=resource')).json.total_hits)
      .toBe(1);
    const nav = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Find', exact: true });
    await enter(page, nav, 'Shift+Tab');
    await tabTo(page, page.locator('#search'));
    await page.keyboard.type(title);
    const option = page.getByRole('option').filter({ hasText: title }).first();
    await option.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).filter({ hasText: title }).waitFor();
    await looksAtIt();
    await enter(page, page.getByText('History', { exact: true }));
    await page.getByText('Made', { exact: true }).waitFor();
    await enter(page, page.getByRole('link', { name: 'Show in its tree' }), 'Shift+Tab');
    const tree = page.getByRole('tree');
    await tabTo(page, tree);
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.locator('.row.active').waitFor();
    await looksAtIt();
    await page.keyboard.press('ArrowDown');
    const name = (await page.locator('.row.active a').textContent()) ?? '';
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).filter({ hasText: name }).waitFor();
    await expect.poll(() => hasFocus(page)).toBe(true);
  });

  it('goes through a long form with what has the focus never behind its bar, on a small screen too', async () => {
    const before = page.viewportSize() ?? { width: 1100, height: 720 };
    const first = page.locator('#f-title');
    for (const size of [before, { width: 550, height: 360 }, { width: 320, height: 256 }]) {
      await page.setViewportSize(size);
      await console.go(`/edit${resource}`);
      await tabTo(page, first);
      await page.keyboard.type('s');
      await tabTo(page, button('Save'));
      await tabTo(page, first, 'Shift+Tab');
      await page.keyboard.press('Backspace');
      await page.getByText('Nothing has been changed yet.').waitFor();
      await console.go('/jobs');
    }
    await page.setViewportSize(before);
  });

  it('looks at the health of the service', async () => {
    await goTo('Health');
    await page.locator('.findings li').first().waitFor();
    await page.locator('.pictures svg').first().waitFor();
    await enter(page, button('Show'));
    await page.locator('pre.log').waitFor();
    await expect.poll(() => hasFocus(page)).toBe(true);
    await looksAtIt();
  });

  it('begins to read another service', async () => {
    await goTo('Moving in');
    await tabTo(page, page.getByLabel('Password there'));
    await page.keyboard.type('a password there');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await looksAtIt();
    expect(console.watched.broken).toEqual([]);
  });

  // moving-in.test.ts goes through such a report in every run.
  it.runIf(isLong)('goes through the report of a comparison that was made', async () => {
    const run = (...args: readonly string[]): ReturnType<typeof runCli> =>
      runCli(args, { env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } });
    const exported = await run('export-all', archive, ...fast);
    expect(exported.code, exported.stderr).toBe(0);
    const was = (await api.get(resource)).json;
    expect((await api.post(resource, { ...was, title: `${title} (changed)` })).status).toBe(200);
    const verified = await run('verify', '--against', archive, '--report', report, '--json');
    expect(verified.code, verified.stderr).toBe(1);

    await goTo('Moving in');
    await tabTo(page, page.locator('input[type=file]'));
    const buffer = readFileSync(report);
    await page
      .locator('input[type=file]:focus')
      .setInputFiles({ name: 'differences.ndjson', mimeType: 'application/x-ndjson', buffer });
    await page.locator('.verdict').waitFor();
    await tabTo(page, page.getByLabel('With this text'));
    await page.keyboard.type('(changed)');
    const link = page.locator('.differences').getByRole('link', { name: resource }).first();
    await link.waitFor();
    await looksAtIt();
    await enter(page, link);
    await page
      .getByRole('heading', { level: 1 })
      .filter({ hasText: `${title} (changed)` })
      .waitFor();
    expect(console.watched.broken).toEqual([]);
  });
});
