// The service killed under an open console, and started again: what is said meanwhile, what stays, and how it goes on.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import { largeTree } from '#test/support/large-tree.ts';
import type { Service } from '#test/support/service.ts';
import { makeDataDir, startService } from '#test/support/service.ts';

const path = browserForConsole();
const siblings = 500;

describe.skipIf(path === null)('the console while the service is away', () => {
  // Its database and worker; the pages are of the process below.
  let api: TestApi;
  let service: Service;
  let port = '0';
  const data = makeDataDir();
  let browser: TestBrowser;
  const open: ConsolePage[] = [];
  let repository: string;
  let tree: string;
  let job: string;
  const start = async (): Promise<void> => {
    const settings = { DATABASE_URL: api.databaseUrl, MUNIMENT_DATA_DIR: data.path, PORT: port };
    service = await startService(settings, 'apps/api/main.ts');
    ({ port } = new URL(service.url));
  };
  const pageAt = async (to: string): Promise<Page> => {
    const console = await openConsole(browser, { ...api, url: service.url });
    open.push(console);
    await console.page.clock.install();
    await console.open(to);
    await console.logIn();
    return console.page;
  };
  // Views of a page that look for themselves say so each.
  const lost = (page: Page) => page.getByRole('alert').filter({ hasText: 'The service does not answer.' }).first();
  beforeAll(async () => {
    api = await startTestApi({ worker: false });
    const repoId = await api.repository('HARBOUR');
    repository = `/repositories/${repoId}`;
    tree = await largeTree(api, repoId, { code: 'logs', count: siblings, root: { title: 'Logbooks of all ships' } });
    // Nobody works here: it waits until the end of the test.
    const asked = { job: { jsonmodel_type: 'trim_whitespace_job' } };
    job = await api.create(`${repository}/jobs`, asked);
    browser = await startBrowser(path ?? '');
    await start();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.kill();
    await api?.[Symbol.asyncDispose]();
    await data[Symbol.asyncDispose]();
  });

  it('says what to do, loses nothing that was typed, and goes on when the service is back', async () => {
    const record = await pageAt(`/record${tree}`);
    const rows = await pageAt(`/tree${tree}`);
    const form = await pageAt(`/edit${tree}`);
    const jobs = await pageAt('/jobs');
    const followed = await pageAt(`/job${job}`);
    const health = await pageAt('/health');
    const movingIn = await pageAt('/moving-in');
    const title = form.locator('.editor > .grid').getByLabel('Title', { exact: true });
    await record.getByRole('link', { name: 'Show in its tree' }).waitFor();
    await rows.getByRole('treeitem').filter({ hasText: 'File 3' }).first().waitFor();
    await title.fill('Logbooks of some ships');
    await jobs.getByRole('rowheader', { name: 'Trim whitespace job' }).waitFor();
    await followed.locator('.status.queued').waitFor();
    await health.locator('.pictures svg').first().waitFor();
    await movingIn.getByText('Nothing was loaded into this service yet').waitFor();

    await service.kill();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await record.getByRole('link', { name: 'Show in its tree' }).click();
    await rows.getByRole('tree').press('End');
    // Views that look now and then do so after ten seconds.
    await Promise.all([health, movingIn].map((page) => page.clock.fastForward(11_000)));
    await Promise.all([record, rows, form, jobs, followed, health, movingIn].map((page) => lost(page).waitFor()));
    expect(await title.inputValue()).toBe('Logbooks of some ships');
    expect(await jobs.getByRole('rowheader', { name: 'Trim whitespace job' }).count()).toBe(1);
    expect(await health.locator('.pictures svg').count()).toBe(11);
    expect(await open[0]?.faults()).toEqual([]);

    await start();
    await Promise.all([jobs, followed, health, movingIn].map((page) => lost(page).waitFor({ state: 'detached' })));
    await followed.locator('.status.queued').waitFor();
    // The tree that was to be opened from the record comes by itself too.
    for (const page of [rows, form]) await page.getByRole('button', { name: 'Try again' }).click();
    await rows.locator('.row.active', { hasText: `File ${siblings - 1}` }).waitFor();
    await record.getByRole('treeitem').filter({ hasText: 'File 3' }).first().waitFor();
    await form.getByRole('heading', { level: 1, name: 'Logbooks of some ships' }).waitFor();
    expect((await api.get(tree)).json.title).toBe('Logbooks of some ships');
    // What ended meanwhile is seen by itself too.
    await api.post(`${job}/cancel`);
    await jobs.getByRole('cell', { name: 'canceled' }).waitFor();
    await followed.locator('.status.canceled').waitFor();
  });

  it('has a view that could not be fetched once the service answers, by itself and when asked to', async () => {
    const page = await pageAt('');
    const away = async (isAway: boolean): Promise<void> => page.context().setOffline(isAway);
    const offered = page.getByRole('navigation').first();
    await page.getByLabel('Search').waitFor();
    await away(true);
    await offered.getByRole('link', { name: 'Jobs', exact: true }).click();
    await lost(page).waitFor();
    await away(false);
    await page.getByRole('rowheader', { name: 'Trim whitespace job' }).waitFor();
    // So that the button alone can do it.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await away(true);
    await offered.getByRole('link', { name: 'Health', exact: true }).click();
    await lost(page).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await lost(page).waitFor();
    await away(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
  });
});
