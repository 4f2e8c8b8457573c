// Jobs in a real browser, from a service that holds nothing: its first repository, faults by file, jobs that are run again, merges.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import { holding } from '#test/support/held-table.ts';
import { personBody } from '#test/support/records.ts';
import { projectRoot } from '#test/support/service.ts';

const path = browserForConsole();
const harbour = `${projectRoot}test/fixtures/formats/ead/harbour.xml`;

describe.skipIf(path === null)('jobs in the console', () => {
  let api: TestApi;
  let browser: TestBrowser;
  let page: Page;
  let console: ConsolePage;
  beforeAll(async () => {
    api = await startTestApi({ worker: 'jobs' });
    browser = await startBrowser(path ?? '');
    console = await openConsole(browser, api);
    ({ page } = console);
    await console.open('/jobs');
    await console.logIn();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
  });

  it('leads from a service that holds nothing to the form of its first repository', async () => {
    const first = page.getByRole('link', { name: 'Make the first repository' });
    for (const view of ['/jobs', '/people', '/import']) {
      await console.go(view);
      await first.waitFor();
      expect(await page.getByRole('combobox', { name: 'Repository' }).count()).toBe(0);
      expect(await console.faults()).toEqual([]);
    }
    await first.click();
    const form = page.locator('form.editor');
    await form.getByLabel('Repo code', { exact: true }).fill('HARBOUR');
    await form.getByLabel('Name', { exact: true }).fill('Archive of the harbour');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Archive of the harbour' }).waitFor();
    expect((await api.get('/repositories')).json).toMatchObject([{ repo_code: 'HARBOUR' }]);
    // It can be worked in at once.
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.locator('.choice option', { hasText: 'Archive of the harbour' }).waitFor({ state: 'attached' });
    await page.getByText('There are no jobs').waitFor();
  });

  it('leads from where there are no jobs to the import, for who may import', async () => {
    const repoId = await api.repository();
    const offered = async (): Promise<readonly string[]> => {
      await page.getByText('There are no jobs').waitFor();
      return page.locator('.empty a').allTextContents();
    };
    await console.go(`/jobs?repo=/repositories/${repoId}`);
    expect(await offered()).toEqual(['Import']);
    const viewer = await api.userWith(['view_repository'], repoId);
    const { username } = (await api.get('/users/current-user', viewer)).json;
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.logIn('secret', username);
    expect(await offered()).toEqual([]);
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.logIn();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
  });

  it('tells in which of several files something is wrong', async () => {
    await console.go('/import');
    const broken = '<?xml version="1.0"?>\n<ead>\n<eadheader>\n</ead>';
    await page.locator('input[type=file]').setInputFiles(harbour);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'broken.xml', mimeType: 'text/xml', buffer: Buffer.from(broken) });
    await page.getByRole('button', { name: 'Check only' }).click();
    await page.getByRole('heading', { name: 'What has to be mended' }).waitFor();
    expect(await page.locator('.fault-box li').allTextContents()).toEqual([
      'broken.xml, Line 4, column 6: The document is not well-formed XML: unexpected close tag.',
    ]);
    expect(await page.getByRole('region', { name: 'Files' }).getByRole('button').allTextContents()).toEqual([
      'harbour.xml',
      'broken.xml',
    ]);
    await page.getByText(/^took /).waitFor();
    expect(await console.faults()).toEqual([]);
  });

  it('runs a job again with the files that it had', async () => {
    await console.go('/import');
    await page.locator('input[type=file]').setInputFiles(harbour);
    await page.getByRole('button', { name: 'Check only' }).click();
    await page.locator('.status.completed').waitFor();
    const first = page.url();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => url.href !== first);
    await page.locator('.status.completed').waitFor();
    await page.locator('.log', { hasText: 'the files can be imported' }).waitFor();
    const [before, after] = await Promise.all(
      [first, page.url()].map(async (url) => {
        const uri = new URL(url).pathname.replace('/console/job', '');
        const [file] = (await api.get(`${uri}/output_files`)).json;
        return { job: (await api.get(uri)).json.job, text: (await api.get(`${uri}/output_files/${file}`)).text };
      }),
    );
    expect(after).toEqual(before);
    expect(await console.faults()).toEqual([]);
    // A job without files goes by another address.
    const uri = await api.create('/repositories/2/jobs', {
      jsonmodel_type: 'job',
      job: { jsonmodel_type: 'trim_whitespace_job' },
    });
    await console.go(`/job${uri}`);
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(uri));
    await page.locator('.status.completed').waitFor();
  });

  it('lists merges with how they ended, and what runs by the clock', async () => {
    const [kept, gone] = [
      await api.create('/agents/people', personBody('Kept')),
      await api.create('/agents/people', personBody('Gone')),
    ];
    const asked = await api.ask('/merge_requests/agent', {
      method: 'POST',
      headers: { prefer: 'respond-async' },
      json: { merge_destination: { ref: kept }, merge_candidates: [{ ref: gone }] },
    });
    expect(asked.status, asked.text).toBe(202);
    await expect.poll(async () => (await api.get(asked.json.uri)).json.status).toBe('completed');
    await console.go('/jobs');
    const table = page.getByRole('region', { name: 'Jobs of the whole installation' });
    const row = table.getByRole('row').filter({ has: page.locator(`a[href="/console/job${asked.json.uri}"]`) });
    await row.getByText('completed').waitFor();
    await page.getByRole('region', { name: 'By the clock' }).first().waitFor();
    expect(await console.faults()).toEqual([]);
    await row.getByRole('link').click();
    await page.locator('.status.completed').waitFor();
    // Merges are asked for where their records are.
    await page.getByRole('heading', { name: 'Log' }).waitFor();
    expect(await page.getByRole('button', { name: 'Run again' }).count()).toBe(0);
    expect((await api.get(asked.json.uri)).json.reason).toEqual({
      by: 'request',
      records: [{ ref: kept }, { ref: gone }],
    });
    await page.getByText('Asked for by admin.').waitFor();
    await page.locator('.why').getByRole('link', { name: kept }).click();
    await page.getByRole('heading', { name: /Kept/ }).waitFor();
  });

  it('tells of an import what it was given', async () => {
    await console.go('/job/repositories/2/jobs/1');
    await page.getByText('Asked for by admin. It was given harbour.xml, broken.xml.').waitFor();
  });

  it('tells that its records or a file cannot be had, and no longer once they can', async () => {
    const failing = { status: 500, json: { error: 'x' } };
    await page.route('**/jobs/1/records*', (route) => route.fulfill(failing), { times: 1 });
    await page.route('**/jobs/1/output_files/*', (route) => route.fulfill(failing), { times: 1 });
    await console.open('/job/repositories/2/jobs/1');
    const files = page.getByRole('region', { name: 'Files' });
    const file = files.getByRole('button', { name: 'harbour.xml' });
    await file.click();
    await files.getByRole('alert').waitFor();
    await Promise.all([page.waitForEvent('download'), file.click()]);
    expect(await files.getByRole('alert').count()).toBe(0);
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await again.click();
    await again.waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('offers no job that would be refused, nor an end of one', async () => {
    const repository = `/repositories/${await api.repository('PIER')}`;
    const member = async (group: string): Promise<ConsolePage> => {
      const username = `of-${group}`;
      await api.ask('/users?password=a-long-password', { method: 'POST', json: { username, name: username } });
      const [found] = (await api.get(`${repository}/groups?group_code=${group}`)).json;
      await api.post(found.uri, { ...found, member_usernames: [username] });
      const theirs = await openConsole(browser, api);
      await theirs.open('/jobs');
      await theirs.logIn('a-long-password', username);
      await theirs.page.getByText('There are no jobs').waitFor();
      return theirs;
    };
    // By their groups managers may import, but start no job; and neither they nor archivists may cancel imports.
    const [manager, archivist] = [await member('repository-managers'), await member('repository-archivists')];
    expect(await manager.page.getByRole('link', { name: 'Import', exact: true }).count()).toBe(0);
    expect(await archivist.page.getByRole('link', { name: 'Import', exact: true }).count()).toBe(2);
    const job = { jsonmodel_type: 'import_job', import_type: 'ead_xml', filenames: ['harbour.xml'] };
    const form = new FormData();
    form.set('job', JSON.stringify({ jsonmodel_type: 'job', job }));
    form.append('files[]', new File([await readFile(harbour)], 'harbour.xml'));
    const cancel = (of: Page): Locator => of.getByRole('button', { name: 'Cancel this job' });
    const again = (of: Page): Locator => of.getByRole('button', { name: 'Run again' });
    await holding(api.database, { table: 'change', against: 'writers' }, async (isMet) => {
      const { uri } = (await api.ask(`${repository}/jobs_with_files`, { form })).json;
      await isMet();
      for (const each of [console, manager, archivist]) {
        await each.go(`/job${uri}`);
        await each.page.locator('.status.running').waitFor();
      }
      expect(await Promise.all([console, manager, archivist].map((each) => cancel(each.page).count()))).toEqual([
        1, 0, 0,
      ]);
    });
    await Promise.all([page, archivist.page].map((each) => again(each).waitFor()));
    await manager.page.locator('.status.completed').waitFor();
    expect(await again(manager.page).count()).toBe(0);
    await manager.go(`/import?repo=${repository}`);
    await manager.page.getByText('You may not import into this repository.').waitFor();
    await Promise.all([manager, archivist].map((each) => each.page.close()));
  });
});
