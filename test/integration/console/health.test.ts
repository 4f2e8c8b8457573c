// The view of health in a real browser. With CONSOLE_PICTURES=docs/guides/console the picture of the guide is made anew.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSchedules } from '#store/queue/schedule.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import type { Receiver } from '#test/support/receiver.ts';
import { startReceiver } from '#test/support/receiver.ts';

const path = browserForConsole();

describe.skipIf(path === null)('the view of health', () => {
  let api: TestApi;
  let receiver: Receiver;
  let browser: TestBrowser;
  let page: Page;
  let console: ConsolePage;
  beforeAll(async () => {
    receiver = await startReceiver();
    api = await startTestApi({ environment: { MUNIMENT_WEBHOOK_ALLOW_PRIVATE: 'true' } });
    await api.post('/webhooks', { url: 'https://example.org/hook?<b>', kinds: ['resource'] });
    await api.ask('/users?password=a-long-password-of-hers', {
      method: 'POST',
      json: { username: 'clerk', name: 'Clerk' },
    });
    browser = await startBrowser(path ?? '');
    console = await openConsole(browser, api, { viewport: { width: 1100, height: 900 } });
    ({ page } = console);
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
  });

  const section = (name: string) => page.getByRole('region', { name, exact: true });

  it('shows administrators what is wrong, the last hour, and who did what', async () => {
    await console.open('/health');
    await console.logIn();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    await page.locator('.findings li').first().waitFor();
    expect(await page.locator('.findings').textContent()).toContain('No backup by npm run backup is known.');
    expect(await page.getByText(/^Database .* workers: 1/).count()).toBe(1);
    await page.locator('.pictures svg').first().waitFor();
    expect(await page.locator('.pictures svg').count()).toBe(11);
    expect(await page.getByRole('img', { name: /^Jobs that wait: now 0, at most 0/ }).count()).toBe(1);
    await section('Slowest requests').getByText('POST /users', { exact: true }).waitFor();
    expect(await page.getByRole('img', { name: /^Free on the disk of the database: now .* GiB/ }).count()).toBe(1);
    await section('Webhooks').getByRole('cell', { name: 'https://example.org/hook?<b>' }).waitFor();
    await section('Who did what to accounts and permissions').getByText('user created').first().waitFor();
    // What could not be had is there once it was asked for again.
    await page.route('**/system/log', (route) => route.fulfill({ status: 500, json: { error: 'x' } }), { times: 1 });
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('pre.log').waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await console.picture('health');
  });

  it('shows what was sent to a webhook one by one, with what came of it and when it is tried again', async () => {
    const hook = await api.create('/webhooks', { url: receiver.url, kinds: ['accession', 'subject'] });
    const repository = `/repositories/${await api.repository('HOOKS')}`;
    await page.reload();
    await page.getByText('Deliveries to https://example.org/hook?<b>').click();
    await page.getByText('Nothing was sent there yet.').waitFor();
    const gift = { id_0: 'A1', accession_date: '2020-01-01', title: 'Gift' };
    const uri = await api.create(`${repository}/accessions`, gift);
    const states = async (): Promise<string> =>
      (await api.get(`${hook}/deliveries`)).json.results
        .map((each: { status: string; attempts: number }) => `${each.status} ${each.attempts}`)
        .join(', ');
    await expect.poll(states).toBe('delivered 1');
    receiver.answer(503);
    await api.post(`${hook}/ping`);
    await expect.poll(states).toMatch(/^pending [1-9]\d*, delivered 1$/);
    await page.getByText(`Deliveries to ${receiver.url}`).click();
    const table = section('Webhooks').getByRole('group', { name: `Deliveries to ${receiver.url}` });
    const waits = table.getByRole('row').filter({ hasText: 'a ping' });
    await waits.getByText('The receiver answered 503').waitFor();
    await waits.getByText('waits').waitFor();
    expect(await waits.getByRole('cell').last().textContent()).toMatch(/\d/);
    const sent = table.getByRole('row').filter({ hasText: 'Accession: made' });
    expect(await sent.getByRole('cell').allTextContents()).toMatchObject({ 2: 'delivered', 3: '1', 4: '204', 5: '–' });
    expect(await console.faults()).toEqual([]);
    await sent.getByRole('link', { name: uri }).click();
    await page.getByRole('heading', { name: 'Gift' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
  });

  it('has nothing that bars people, in light and dark, on a phone and in German', async () => {
    for (const width of [1100, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await console.faults()).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'In der letzten Stunde' }).waitFor();
    await page.getByLabel('Sprache').selectOption('en');
  });

  it('shows beside the jobs how the index was made anew, as a picture and as a table', async () => {
    await console.open('/jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    expect(await page.locator('.runs svg').count()).toBe(0);
    for (let n = 0; n < 2; n += 1) {
      const { uri } = (await api.post('/system/reindex')).json;
      await expect.poll(async () => (await api.get(uri)).json.status).toBe('completed');
    }
    const stop = await startSchedules({
      database: api.database,
      directUrl: api.databaseUrl,
      onError: () => undefined,
      schedules: [{ name: 'reindex', cron: '0 2 * * *', enqueue: async () => undefined }],
    });
    await stop();
    await page.reload();
    await page.getByRole('img', { name: /^How long 2 runs took, the last \d+ s, at most \d+ s; failed: 0/ }).waitFor();
    expect(await page.locator('.runs rect.completed').count()).toBe(2);
    await page.getByText('By the clock: 0 2 * * * (UTC)').waitFor();
    // The schedule stands with its last job, too.
    await section('By the clock').getByText('0 2 * * * (UTC)').waitFor();
    await page.getByText('Every run').click();
    expect(await page.getByRole('rowheader', { name: /^Run/ }).count()).toBe(2);
    expect(await console.faults()).toEqual([]);
    await page.getByRole('link', { name: /^Run/ }).first().click();
    await page.getByRole('heading', { name: 'Reindex' }).waitFor();
  });

  it('tells others that it is not for them, and does not offer it', async () => {
    await console.open('/health');
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.logIn('a-long-password-of-hers', 'clerk');
    await page.getByText('shown to administrators').waitFor();
    expect(await page.getByRole('link', { name: 'Health' }).count()).toBe(0);
    expect(console.watched.broken).toEqual([]);
  });
});
