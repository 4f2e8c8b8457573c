// Moving in, in a real browser: loads that are followed, and the report of a comparison that was really made, of a service beside a folder that
// was read from it and changed. With CONSOLE_PICTURES=docs/guides/console the pictures of the guide are made anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fast, linesOf } from '#test/integration/cli/archive-of-all-kinds.ts';
import { filesForTests, runCli } from '#test/integration/cli/run-cli.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, ok, startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import { holding } from '#test/support/held-table.ts';
import { largeTree } from '#test/support/large-tree.ts';
import { resourceBody } from '#test/support/records.ts';

const path = browserForConsole();
const files = filesForTests();
const folder = join(files.folder, 'archive');
const report = join(files.folder, 'differences.ndjson');
const hostile = 'Letters <script>document.title=1</script><img src=x onerror="document.title=2"> of 1911';
const components = 60;
const theirPassword = 'a-long-password-of-theirs';

describe.skipIf(path === null)('moving in', () => {
  let api: TestApi;
  let browser: TestBrowser;
  let page: Page;
  let console: ConsolePage;
  let repoId: number;
  let subject: string;
  let printed: string;
  const run = (...args: readonly string[]): ReturnType<typeof runCli> =>
    runCli(args, { env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } });
  const edit = (file: string, change: (records: any[]) => any[]): void =>
    writeFileSync(
      join(folder, `${file}.ndjson`),
      change(linesOf(folder, file))
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    );
  beforeAll(async () => {
    api = await startTestApi({ worker: 'jobs' });
    repoId = await api.repository('HARBOUR');
    await largeTree(api, repoId, { code: 'letters', count: components, root: { title: 'Letters of 1901' } });
    await api.create(`/repositories/${repoId}/resources`, resourceBody('rtl', { title: 'أوراق الميناء' }));
    subject = await api.create('/subjects', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: 'Ports', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    for (const [username, isAdmin] of [
      ['clerk', false],
      ['chief', true],
    ] as const)
      ok(await api.post(`/users?password=${theirPassword}`, { username, name: username, is_admin: isAdmin }));
    const exported = await run('export-all', folder, ...fast);
    if (exported.code !== 0) throw new Error(exported.stderr);
    edit('archival_objects', (records) =>
      records.map((each) => ({ ...each, title: `${each.title}, copied`, lock_version: 77 })),
    );
    edit('resources', ([letters, arabic]) => [
      { ...letters, title: hostile },
      { ...arabic, title: 'أوراق الميناء القديم' },
    ]);
    edit('subjects', ([first]) => [{ ...first, uri: '/subjects/77' }]);
    const verified = await run('verify', '--against', folder, '--report', report, '--json');
    if (verified.code !== 1) throw new Error(verified.stderr);
    printed = verified.stdout;
    browser = await startBrowser(path ?? '');
    console = await openConsole(browser, api, { viewport: { width: 1100, height: 900 } });
    ({ page } = console);
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
  });

  const choose = (name: string, text: string | Buffer): Promise<void> =>
    page
      .getByLabel('Drop the report here, or choose it')
      .setInputFiles({ name, mimeType: 'application/x-ndjson', buffer: Buffer.from(text) });
  const verdict = (text: string | RegExp): Promise<void> =>
    page.locator('.verdict').filter({ hasText: text }).waitFor();
  const count = (text: string): Promise<void> => page.locator('.report .count').filter({ hasText: text }).waitFor();
  const total = components + 4;

  it('says how, and follows a load until it is canceled', async () => {
    await console.open('/moving-in');
    await console.logIn();
    await page.getByText('Nothing was loaded into this service yet.').waitFor();
    expect(await page.locator('.commands').first().textContent()).toContain(`--url ${api.url}`);
    expect(await console.faults()).toEqual([]);
    const line = JSON.stringify({ ...(await api.get(subject)).json, uri: '/subjects/900' });
    await holding(api.database, { table: 'record', against: 'writers' }, async (isMet) => {
      const { uri } = (await api.ask('/system/load?into_filled=true', { method: 'POST', body: `${line}\n` })).json;
      await isMet();
      await page.reload();
      const load = page.getByRole('row').filter({ hasText: `Load ${uri.split('/').at(-1)}` });
      await load.getByText('running').waitFor();
      expect(await console.faults()).toEqual([]);
      await load.getByRole('button', { name: 'Cancel this job' }).click();
      await load.getByText('canceled').waitFor();
      expect(await load.getByRole('button').count()).toBe(0);
    });
    await page.getByRole('link', { name: /^Load \d+$/ }).click();
    await page.getByRole('heading', { name: 'Load records' }).waitFor();
    await page.getByRole('heading', { name: 'Log' }).waitFor();
    await page.goBack();
  });

  it('shows what a comparison found, and sends the file to nobody', async () => {
    const sent: string[] = [];
    page.on('request', (request) => void (request.method() === 'GET' || sent.push(request.url())));
    await choose('differences.ndjson', readFileSync(report));
    await verdict(`${total} differences.`);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('report-name');
    await page.getByText('a folder answers nothing').waitFor();
    const fields = page.getByRole('link', { name: `Field in /repositories/${repoId}/archival_objects: ${components}` });
    expect(await fields.textContent()).toBe(String(components));
    await count(`${total} of ${total}`);
    await page.getByLabel('With this text').fill('letters <script');
    await count(`1 of ${total}`);
    const [only] = await page.locator('.differences .value').allTextContents();
    expect(only).toBe(hostile);
    expect(await page.locator('.differences mark').allTextContents()).toEqual([hostile.slice(8, -1), 'of 190']);
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.getByLabel('With this text').fill('');
    await count(`${total} of ${total}`);
    await page.locator('#report-name').focus();
    await page.evaluate(`document.querySelector('.report .wide').scrollIntoView()`);
    await console.picture('moving-in-report');
    await page.getByText('What differs, and may').click();
    await page.getByText('lock_version counts the saves of each service').waitFor();
    expect(sent).toEqual([]);
    expect(console.watched.asked.filter((url) => !url.startsWith(api.url))).toEqual([]);
  });

  it('leads from a difference to the record, and back to the report', async () => {
    await page.getByRole('link', { name: 'Not in the source in /subjects: 1' }).click();
    await page.waitForURL(/list=%2Fsubjects/);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('differences');
    await count(`1 of ${total}`);
    await page.locator('.differences').getByRole('link', { name: subject }).click();
    await page.getByRole('heading', { name: 'Ports' }).waitFor();
    await page.goBack();
    await count(`1 of ${total}`);
    await page.getByRole('combobox', { name: 'Sort' }).selectOption({ label: 'Missing here (1)' });
    await page.locator('.differences').getByText('/subjects/77').waitFor();
    expect(await page.locator('.differences a').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all' }).click();
    await count(`${total} of ${total}`);
  });

  it('is narrowed down and turned over by keys alone, and the address keeps it', async () => {
    const to = async (what: string): Promise<void> => {
      for (let steps = 0; steps < 200; steps++) {
        const text = await page.evaluate(
          '(document.activeElement.closest("label") ?? document.activeElement).textContent',
        );
        if (String(text).startsWith(what)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`No key leads to ${what}`);
    };
    await page.locator('#report-name').focus();
    await to('Sort');
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/sort=field/);
    await to('Next');
    await page.keyboard.press('Enter');
    await page.waitForURL(/page=2/);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('differences');
    expect(await page.locator('.differences > li').count()).toBe(components + 2 - 50);
    await page.reload();
    await choose('differences.ndjson', readFileSync(report));
    await count(`${components + 2} of ${total}`);
    await page.getByText('Page 2 of 2').waitFor();
  });

  it('has nothing that bars people, in light and dark, on a phone and in German', async () => {
    await console.open('/moving-in?text=أوراق');
    await choose('differences.ndjson', readFileSync(report));
    await count(`1 of ${total}`);
    const direction = `getComputedStyle(document.querySelector('.differences .value')).direction`;
    expect(await page.evaluate(direction)).toBe('rtl');
    for (const width of [1100, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await console.faults()).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await page.setViewportSize({ width: 1100, height: 900 });
    await page.getByLabel('Language').selectOption('de');
    await verdict(`${total} Unterschiede.`);
    await page.getByLabel('Sprache').selectOption('en');
  });

  it('takes what --json prints, what is dropped, and tells of a file that is none', async () => {
    await console.open('/moving-in');
    await choose('verdict.json', printed);
    await verdict(`${total} differences.`);
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['{"what":"missing","uri":"/subjects/1"}\\n{"what":"mis'], 'dropped.ndjson'));
      return data;
    })()`);
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
    await verdict('One difference.');
    await page.getByText('Line 2: it is no JSON.').waitFor();
    await page.getByText('The report has no verdict at its end').waitFor();
    expect(await console.faults()).toEqual([]);
    for (const [name, text, says] of [
      ['empty.ndjson', '', 'The file is empty'],
      ['differences.html', '<!doctype html>\n<p>63 differences', 'the page that verify --html writes'],
      ['subjects.ndjson', '{"uri":"/subjects/1"}\n', 'This is no report of a comparison.'],
    ] as const) {
      await choose(name, text);
      await page.getByRole('alert').filter({ hasText: says }).waitFor();
      expect(await page.locator('.report').count()).toBe(0);
    }
    await choose('same.json', JSON.stringify({ ...JSON.parse(printed), same: true, differences: {}, shown: [] }));
    await verdict('Everything is the same.');
    // As a shell of Windows writes what is sent into a file.
    await choose('verdict.json', Buffer.from(`\uFEFF${printed}`, 'utf16le'));
    await verdict(`${total} differences.`);
    expect(await console.faults()).toEqual([]);
  });

  it('keeps the first hundred thousand of more differences, and says so', async () => {
    const field = { what: 'field', path: 'notes/0/subnotes/0/content', source: 'a'.repeat(90), here: 'b'.repeat(90) };
    const large = files.put(
      'large.ndjson',
      Array.from({ length: 100_100 }, (_, n) =>
        JSON.stringify({ ...field, uri: `/repositories/2/archival_objects/${n}`, source: `${field.source}${n}` }),
      ).join('\n'),
    );
    await page.getByLabel('Drop the report here, or choose it').setInputFiles(large);
    await verdict('100,100 differences.');
    await page.getByText('The first 100,000 of 100,100 differences').waitFor();
    await page.getByText('Page 1 of 2,000').waitFor();
    await page.getByLabel('With this text').fill('a99999');
    await count('1 of 100,000');
  });

  it('shows another administrator no report that was opened before, and tells others that it is not for them', async () => {
    await page.locator('.report').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.logIn(theirPassword, 'chief');
    await page.getByRole('heading', { name: 'What the comparison found' }).waitFor();
    expect(await page.locator('.report').count()).toBe(0);
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.logIn(theirPassword, 'clerk');
    await page.getByText('for administrators of the system').waitFor();
    expect(await page.getByRole('link', { name: 'Moving in' }).count()).toBe(0);
    expect(await page.locator('.report').count()).toBe(0);
    expect(console.watched.broken).toEqual([]);
  });
});
