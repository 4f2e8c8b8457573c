// Answers that are lost on the way back from the service, and saves by keys: nothing is made twice, and no save is lost without a word.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import type { ConsolePage, ServedConsole } from '#test/support/console.ts';
import { browserForConsole, serveConsole } from '#test/support/console.ts';
import { resourceBody } from '#test/support/records.ts';
import { projectRoot } from '#test/support/service.ts';

const path = browserForConsole();

describe.skipIf(path === null)('answers to the console that are lost', () => {
  let served: ServedConsole;
  let api: TestApi;
  let console: ConsolePage;
  let page: Page;
  let repository: string;
  beforeAll(async () => {
    served = await serveConsole(path, { worker: false });
    ({ api, console, page, repository } = served);
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  const record = async (uri: string): Promise<any> => (await api.get(uri)).json;
  const save = (): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
  const again = (): Promise<void> => page.getByRole('button', { name: 'Try again' }).click();
  const title = () => page.locator('.editor > .grid').getByLabel('Title', { exact: true });
  /** Has requests of a method arrive and be done, and their answers lost, until it is called off. */
  const losing = async (method: string, to: string): Promise<() => Promise<void>> => {
    await page.route(to, async (route) => {
      if (route.request().method() !== method) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    return () => page.unroute(to);
  };

  it('makes a new record once, also where more is typed and the page is loaded anew before the next try', async () => {
    const resource = await api.create(`${repository}/resources`, resourceBody('once', { title: 'Once' }));
    await console.go(`/new${repository}/archival_objects?resource=${resource}&from=${resource}`);
    await title().fill('Pilot books');
    await page.getByLabel('Level', { exact: true }).selectOption('file');
    const end = await losing('POST', '**/archival_objects');
    await save();
    await page.getByText('The service does not answer.').waitFor();
    await page.reload();
    await title().fill('Pilot books of the river');
    await end();
    await save();
    // It is there as it was sent, and what was typed since is over it.
    await page.waitForURL(/\/console\/edit\//);
    const made = new URL(page.url()).pathname.replace('/console/edit', '');
    expect((await record(made)).title).toBe('Pilot books');
    expect(await title().inputValue()).toBe('Pilot books of the river');
    await save();
    await page.waitForURL(/\/console\/tree\//);
    expect((await record(made)).title).toBe('Pilot books of the river');
    expect((await record(`${resource}/tree/root`)).child_count).toBe(1);
  });

  it('knows its own save again, rather than telling that somebody else saved', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('own', { title: 'Own' }));
    await console.go(`/edit${uri}`);
    await title().fill('My own');
    await page.getByRole('button', { name: '+ External documents' }).click();
    await page.locator('#f-external_documents-0-title').fill('Map');
    await page.locator('#f-external_documents-0-location').fill('https://example.org/map');
    const end = await losing('PATCH', `**${uri}`);
    await save();
    await page.getByText('The service does not answer.').waitFor();
    await end();
    await again();
    await page.waitForURL(/\/console\/record\//);
    expect(await record(uri)).toMatchObject({ title: 'My own', lock_version: 1 });
  });

  it('still shows what somebody else saved while nobody answered', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('theirs', { title: 'Theirs' }));
    await console.go(`/edit${uri}`);
    await title().fill('Mine');
    await page.route(`**${uri}`, (route) => route.abort('connectionreset'));
    await save();
    await page.getByText('The service does not answer.').waitFor();
    await api.post(uri, { ...(await record(uri)), title: 'Of others' });
    await page.unroute(`**${uri}`);
    await again();
    await page.getByRole('heading', { name: 'Somebody else saved this record meanwhile' }).waitFor();
    expect((await record(uri)).title).toBe('Of others');
    await page.reload();
  });

  it('starts an import once', async () => {
    await console.open('/import');
    await page.locator('input[type=file]').setInputFiles(`${projectRoot}test/fixtures/formats/ead/harbour.xml`);
    const end = await losing('POST', '**/jobs_with_files');
    const send = page.getByRole('button', { name: 'Import', exact: true });
    await send.click();
    await page.getByText('The service does not answer.').waitFor();
    await end();
    await send.click();
    await page.waitForURL(/\/console\/job\//);
    expect((await api.get(`${repository}/jobs?all_ids=true`)).json).toHaveLength(1);
  });

  it('leaves whoever goes on elsewhere there while files are on their way, and warns who would close the page', async () => {
    const asksFirst = (): Promise<boolean> =>
      page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
    const made = async (): Promise<number> => (await api.get(`${repository}/jobs?all_ids=true`)).json.length;
    const before = await made();
    await console.open('/import');
    await page.locator('input[type=file]').setInputFiles(`${projectRoot}test/fixtures/formats/ead/harbour.xml`);
    const { promise: isLeft, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(
      '**/jobs_with_files',
      async (route) => {
        await isLeft;
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Sending' }).waitFor();
    expect(await console.faults(page.locator('form.import'))).toEqual([]);
    await console.go(`/new${repository}/accessions`);
    await title().waitFor();
    expect(await asksFirst()).toBe(true);
    letGo();
    await expect.poll(asksFirst).toBe(false);
    expect(await made()).toBe(before + 1);
    await title().fill('Typed meanwhile');
    expect(new URL(page.url()).pathname).toBe(`/console/new${repository}/accessions`);
    await page.evaluate('localStorage.clear()');
  });

  it('saves by Ctrl+S a number that the field still has the focus of', async () => {
    const body = {
      title: 'Film',
      digital_object_id: 'film',
      file_versions: [{ file_uri: 'https://example.org/film' }],
    };
    const uri = await api.create(`${repository}/digital_objects`, body);
    await console.open(`/edit${uri}`);
    await page.getByLabel('File size bytes').pressSequentially('4096');
    await page.keyboard.press('Control+s');
    await page.waitForURL(/\/console\/record\//);
    expect((await record(uri)).file_versions[0].file_size_bytes).toBe(4096);
  });

  it('shows what was typed into the form of a record that somebody deleted meanwhile', async () => {
    const body = { id_0: 'GONE', accession_date: '2020-01-01', title: 'Gone' };
    const uri = await api.create(`${repository}/accessions`, body);
    await console.open(`/edit${uri}`);
    await title().fill('A long and careful title');
    await page.getByText('Not saved yet.').waitFor();
    await api.ask(uri, { method: 'DELETE' });
    await save();
    await page.getByText('There is no such record.').waitFor();
    await page.reload();
    const left = page.getByRole('region', { name: /You typed this here/ });
    await left.getByText('A long and careful title').waitFor();
    expect(await console.faults()).toEqual([]);
    await left.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await left.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('There is no such record.').waitFor();
    expect(await left.count()).toBe(0);
  });
});
