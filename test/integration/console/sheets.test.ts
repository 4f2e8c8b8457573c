// Spreadsheets in a real browser, by keys alone: new components below a collection that is found while its title is typed, checked first, and
// changes in a workbook that the service made.
import { read as readWorkbook, utils, write as writeWorkbook } from '@e965/xlsx';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import { resourceBody } from '#test/support/records.ts';
import { csv, sheetOf, xlsx } from '#test/support/sheet-job.ts';

const path = browserForConsole();
const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe.skipIf(path === null)('spreadsheets in the console', () => {
  let api: TestApi;
  let browser: TestBrowser;
  let page: Page;
  let console: ConsolePage;
  let repoId: number;
  let resource: string;
  beforeAll(async () => {
    api = await startTestApi();
    repoId = await api.repository('HARBOUR');
    resource = await api.create(
      `/repositories/${repoId}/resources`,
      resourceBody('logs', { title: 'Logs of the pilots' }),
    );
    browser = await startBrowser(path ?? '');
    console = await openConsole(browser, api);
    ({ page } = console);
    await console.open('/import');
    await console.logIn();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
  });

  const choose = async (name: string, mimeType: string, buffer: Buffer): Promise<void> => {
    await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await page.getByRole('form', { name: 'Spreadsheet' }).waitFor();
  };
  const ended = (status: string): Promise<void> => page.locator('.status', { hasText: status }).first().waitFor();
  const titles = async (): Promise<readonly string[]> =>
    (await api.get(`${resource}/tree/waypoint?offset=0`)).json?.map((each: { readonly title: string }) => each.title) ??
    [];
  /** From the choice of a file to the button that checks: the purpose stays, the collection is found. */
  const pickCollection = async (): Promise<void> => {
    await page.getByRole('combobox', { name: 'Collection' }).focus();
    await page.keyboard.type('logs of');
    await page.getByRole('option', { name: 'Logs of the pilots' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText(`Chosen: Logs of the pilots (${resource})`).waitFor();
  };

  it('checks new components and stores them below the collection that is chosen', async () => {
    const rows = [
      { res_uri: resource, hierarchy: '1', title: 'Night of the storm', level: 'file' },
      { res_uri: resource, hierarchy: '2', title: 'Page one', level: 'item' },
    ];
    await choose('new.xlsx', workbook, xlsx(sheetOf(rows)));
    expect(await page.getByRole('button', { name: 'Check only' }).isDisabled()).toBe(true);
    await pickCollection();
    expect(await console.faults()).toEqual([]);
    // Enter in the field of the collection would choose; a button sends.
    await page.getByRole('button', { name: 'Check only' }).focus();
    await page.keyboard.press('Enter');
    await ended('completed');
    expect((await api.get(`${resource}/tree/root`)).json.child_count).toBe(0);
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await choose('new.csv', 'text/csv', csv(sheetOf(rows)));
    await pickCollection();
    await page.getByRole('button', { name: 'Import', exact: true }).focus();
    await page.keyboard.press('Enter');
    await ended('completed');
    expect(await titles()).toEqual(['Night of the storm']);
  });

  it('stores the changes of a sheet that the service made', async () => {
    const [id] = (await api.get(`/repositories/${repoId}/archival_objects?all_ids=true`)).json;
    const uri = `/repositories/${repoId}/archival_objects/${id}`;
    const at = `${api.url}/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`;
    const reply = await fetch(at, {
      method: 'POST',
      headers: { 'x-service-session': api.session },
      body: new URLSearchParams([
        ['uri[]', uri],
        ['resource_uri', resource],
      ]),
    });
    const book = readWorkbook(Buffer.from(await reply.arrayBuffer()));
    const table = utils.sheet_to_json<string[]>(book.Sheets['Updates'] ?? {}, { header: 1 });
    (table[2] ?? [])[(table[1] ?? []).indexOf('title')] = 'Night of the great storm';
    book.Sheets['Updates'] = utils.aoa_to_sheet(table);
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await choose('changes.xlsx', workbook, writeWorkbook(book, { type: 'buffer', bookType: 'xlsx', bookSST: true }));
    await page.getByLabel('What it is for').selectOption('update');
    expect(await page.getByRole('combobox', { name: 'Collection' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Check only' }).click();
    await ended('completed');
    await page.getByText('only checked').waitFor();
    expect((await api.get(uri)).json.title).toBe('Night of the storm');
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await choose('changes.xlsx', workbook, writeWorkbook(book, { type: 'buffer', bookType: 'xlsx', bookSST: true }));
    await page.getByLabel('What it is for').selectOption('update');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await ended('completed');
    expect((await api.get(uri)).json.title).toBe('Night of the great storm');
    // The sheet is gone with its changes: there is nothing to run again.
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('only checked').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Run again' }).count()).toBe(0);
    expect(console.watched.broken).toEqual([]);
  });

  it('knows the templates that the service makes', async () => {
    for (const name of ['top_container_creation', 'digital_object_creation']) {
      const { text } = await api.get(`${resource}/templates/${name}.csv`);
      await page.getByRole('link', { name: 'Import', exact: true }).click();
      await choose(`${name}.csv`, 'text/csv', Buffer.from(text));
      await page.getByRole('button', { name: `Take ${name}.csv away` }).click();
    }
  });

  it('tells which files it does not take beside a sheet, and what it cannot read', async () => {
    const sheet = csv(sheetOf([{ res_uri: resource, title: 'One' }]));
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/plain', buffer });
    await console.go('/import');
    const input = page.locator('input[type=file]');
    await input.setInputFiles([file('first.xml', Buffer.from('<ead/>'))]);
    await page.getByRole('list', { name: 'Files' }).getByText('first.xml').waitFor();
    await input.setInputFiles([
      file('one.csv', sheet),
      file('two.csv', sheet),
      file('more.xml', Buffer.from('<ead/>')),
    ]);
    const passed = page.getByRole('status').filter({ hasText: 'A spreadsheet goes by itself' });
    await passed.getByText('first.xml, two.csv, more.xml').waitFor();
    await input.setInputFiles([file('last.xml', Buffer.from('<ead/>'))]);
    await passed.getByText('one.csv', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Take last.xml away' }).click();
    // As a folder is, which browsers give as a file that cannot be read.
    await page.evaluate(`{
      const folder = new File([], 'folder');
      folder.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('A folder', 'NotFoundError')) });
      const files = { files: [folder] };
      const drop = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer: files });
      document.querySelector('label.drop').dispatchEvent(drop);
    }`);
    await page
      .getByRole('alert')
      .getByText(/NotFoundError/)
      .waitFor();
    expect(console.watched.broken).toEqual([]);
  });

  it('takes what was dropped while files dropped before are still read', async () => {
    await console.go('/import');
    const input = page.locator('input[type=file]');
    await input.waitFor({ state: 'attached' });
    // As from a slow drive.
    await page.evaluate(`{
      const read = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = async function () {
        Blob.prototype.arrayBuffer = read;
        await new Promise((resolve) => (globalThis.goOn = resolve));
        return read.call(this);
      };
    }`);
    for (const name of ['one.xml', 'two.xml'])
      await input.setInputFiles([{ name, mimeType: 'text/xml', buffer: Buffer.from('<ead/>') }]);
    const names = page.locator('ul.files bdi');
    await names.filter({ hasText: 'two.xml' }).waitFor();
    await page.evaluate('goOn()');
    await names.filter({ hasText: 'one.xml' }).waitFor();
    expect(await names.allTextContents()).toEqual(['two.xml', 'one.xml']);
    for (const name of ['one.xml', 'two.xml']) await page.getByRole('button', { name: new RegExp(name) }).click();
  });

  it('goes back to other files where the sheet is taken away', async () => {
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await choose('new.xlsx', workbook, xlsx([['x']]));
    await page.getByRole('button', { name: 'Take new.xlsx away' }).click();
    expect(await page.getByRole('form', { name: 'Spreadsheet' }).count()).toBe(0);
  });
});
