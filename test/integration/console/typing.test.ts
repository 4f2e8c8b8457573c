// What is typed in forms, in a real browser, where something comes between: a slow save, another tab, the end of the session.
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import type { ConsolePage, ServedConsole } from '#test/support/console.ts';
import { browserForConsole, serveConsole } from '#test/support/console.ts';
import { resourceBody } from '#test/support/records.ts';

const path = browserForConsole();

describe.skipIf(path === null)('what is typed in forms', () => {
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

  const fieldOf = (tab: Page, label: string) => tab.locator('.editor > .grid').getByLabel(label, { exact: true });
  const field = (label: string) => fieldOf(page, label);
  const save = (): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const titleOf = async (uri: string): Promise<string> => (await api.get(uri)).json.title;
  const edit = async (uri: string): Promise<void> => {
    await console.open(`/edit${uri}`);
    await page.locator('form.editor').waitFor();
  };
  /** Saves, and types a title while the save is on its way. */
  const typeOn = async (to: string, title: string): Promise<void> => {
    const { promise: isTyped, resolve: letGo } = Promise.withResolvers<void>();
    const onItsWay = async (route: Route): Promise<void> => {
      await isTyped;
      await route.continue();
    };
    await page.route(`**${to}`, onItsWay, { times: 1 });
    await save();
    await page.getByRole('button', { name: 'Saving …' }).waitFor();
    await field('Title').fill(title);
    letGo();
  };

  it('stays in the form where it was typed while a save was on its way, and goes with the next save', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('slow', { title: 'Log' }));
    await edit(uri);
    await field('Title').fill('Logbook');
    await typeOn(uri, 'Logbooks');
    await page
      .locator('.actions', { hasText: 'Saved, but for what you typed while the save was on its way' })
      .waitFor();
    expect(await titleOf(uri)).toBe('Logbook');
    expect(await field('Title').inputValue()).toBe('Logbooks');
    // A reload has it too.
    await page.reload();
    await page.getByText(/There is something that you typed here/).waitFor();
    expect(await field('Title').inputValue()).toBe('Logbooks');
    await save();
    await heading('Logbooks').waitFor();
    expect(await titleOf(uri)).toBe('Logbooks');
    expect(console.watched.broken).toEqual([]);
  });

  it('goes on in the form of a new record that was saved meanwhile, which is made once', async () => {
    await console.go(`/new${repository}/accessions`);
    await field('Title').fill('Gift');
    await field('Identifier, part 1').fill('G1');
    await field('Accession date').fill('2026-01-31');
    await typeOn(`${repository}/accessions`, 'Gifts of the pilots');
    await page.waitForURL(/\/console\/edit\/repositories\/\d+\/accessions\/\d+$/);
    await expect.poll(() => field('Title').inputValue()).toBe('Gifts of the pilots');
    await save();
    await heading('Gifts of the pilots').waitFor();
    const ids = (await api.get(`${repository}/accessions?all_ids=true`)).json;
    expect(ids).toHaveLength(1);
    expect(await titleOf(`${repository}/accessions/${ids[0]}`)).toBe('Gifts of the pilots');
    await console.go(`/new${repository}/accessions`);
    await expect.poll(() => field('Title').inputValue()).toBe('');
  });

  it('is kept over a reload where the same form was saved in another tab', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('tabs', { title: 'Before' }));
    const other = await page.context().newPage();
    await other.goto(`${api.url}/console/edit${uri}`);
    await fieldOf(other, 'Title').fill('In the other tab');
    await other.getByText('Not saved yet.').waitFor();
    await edit(uri);
    await field('EAD ID').fill('tabs');
    await save();
    await page.waitForURL(/\/console\/record\//);
    other.on('dialog', (dialog) => void dialog.accept());
    await other.reload();
    await other.getByText(/There is something that you typed here/).waitFor();
    expect(await fieldOf(other, 'Title').inputValue()).toBe('In the other tab');
    await other.close();
    await page.evaluate('localStorage.clear()');
  });

  it('is kept for whoever typed it where they log out at once', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('out', { title: 'Before' }));
    await edit(uri);
    await field('Title').fill('Typed last');
    // Before what is typed has rested.
    await page.evaluate(`[...document.querySelectorAll('.who button')][0].click()`);
    await page.getByLabel('Password', { exact: true }).waitFor();
    expect(await page.evaluate(`Object.keys(localStorage).filter((key) => key.includes('draft'))`)).toEqual([
      `muniment.draft admin ${uri}`,
    ]);
    await console.logIn();
    await expect.poll(() => field('Title').inputValue()).toBe('Typed last');
    await page.evaluate('localStorage.clear()');
  });

  it('does not call back whoever has left while a save was on its way', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('left', { title: 'Before' }));
    await edit(uri);
    await field('Title').fill('After');
    const { promise: isLeft, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(
      `**${uri}`,
      async (route) => {
        await isLeft;
        await route.continue();
      },
      { times: 1 },
    );
    await save();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await heading('Jobs').waitFor();
    letGo();
    await page.locator('#said').filter({ hasText: 'Saved.' }).waitFor({ state: 'attached' });
    expect(await titleOf(uri)).toBe('After');
    expect(new URL(page.url()).pathname).toBe('/console/jobs');
    await edit(uri);
    await page.getByText('Nothing has been changed yet.').waitFor();
  });

  it('is asked about where it was to find a record and none was chosen, and goes where its entry goes', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('link', { title: 'Links' }));
    await edit(uri);
    await page.getByRole('button', { name: '+ Subjects' }).click();
    await page.locator('#f-subjects-add').click();
    const looking = page.getByRole('combobox', { name: 'Subjects' });
    await looking.nth(0).fill('Lighthouses');
    await looking.nth(1).fill('Pilots');
    await page.getByRole('button', { name: 'Take away: Subjects 1' }).click();
    await expect.poll(() => looking.count()).toBe(1);
    expect(await looking.inputValue()).toBe('Pilots');
    await save();
    const fault = page.getByRole('group', { name: 'This could not be saved yet:' });
    await fault.getByText('Choose one of the records that are found').waitFor();
    expect(await looking.getAttribute('aria-invalid')).toBe('true');
    await fault.getByRole('button').click();
    expect(await looking.and(page.locator(':focus')).count()).toBe(1);
    expect((await api.get(uri)).json.lock_version).toBe(0);
    await looking.fill('');
    await field('Title').fill('No links');
    await save();
    await heading('No links').waitFor();
  });

  it('is told at its field where it holds a character that cannot be stored', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('zero', { title: 'Before' }));
    await edit(uri);
    await field('Title').fill('From a\0broken file');
    await save();
    await page.locator('#f-title-fault').getByText('a character that cannot be stored').waitFor();
    await field('Title').fill('From a broken file');
    await save();
    await heading('From a broken file').waitFor();
  });

  it('is a choice of what lists hold now', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('list', { title: 'Lists' }));
    await edit(uri);
    const offered = () => field('Finding aid status').locator('option').allTextContents();
    await expect.poll(offered).toContain('Completed');
    const list = (await api.get('/config/enumerations/names/resource_finding_aid_status')).json;
    await api.post(list.uri, { ...list, values: [...list.values, 'half_done'] });
    // Without the page being loaded anew.
    await console.go('/jobs');
    await heading('Jobs').waitFor();
    await console.go(`/edit${uri}`);
    await expect.poll(offered).toContain('Half done');
  });

  it('stays with the form that it was typed into where Back leads to another of the same path', async () => {
    const [one, other] = await Promise.all(
      ['back1', 'back2'].map((id) => api.create(`${repository}/resources`, resourceBody(id))),
    );
    const formBelow = (root: string | undefined): string =>
      `/new${repository}/archival_objects?resource=${root}&from=${root}`;
    await console.open(formBelow(one));
    await page.locator('form.editor').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await heading('Jobs').waitFor();
    await console.go(formBelow(other));
    await field('Title').fill('Below the other');
    await page.evaluate('history.go(-2)');
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL((url) => url.searchParams.get('resource') === one);
    await expect.poll(() => field('Title').inputValue()).toBe('');
    await page.evaluate('history.go(2)');
    await expect.poll(() => field('Title').inputValue()).toBe('Below the other');
    await page.evaluate('localStorage.clear()');
  });

  it('chooses the row that was marked, also where the list has changed since', async () => {
    const { promise: isMarked, resolve: letGo } = Promise.withResolvers<void>();
    const found = (...names: readonly string[]): object => ({
      suggestions: names.map((title) => ({ id: title, uri: `/subjects/${title}`, title, primary_type: 'subject' })),
    });
    await page.route('**/search/suggest*', async (route) => {
      if (route.request().url().includes('q=harv')) {
        await isMarked;
        return route.fulfill({ json: found('Harvest', 'Harvest home') });
      }
      return route.fulfill({ json: found('Harbour', 'Harvest') });
    });
    await edit(await api.create(`${repository}/resources`, resourceBody('marked')));
    await page.getByRole('button', { name: '+ Subjects' }).click();
    const looking = page.getByRole('combobox', { name: 'Subjects' });
    await looking.fill('har');
    await page.getByRole('option', { name: 'Harbour' }).waitFor();
    const isAsked = page.waitForRequest(/q=harv/);
    await looking.fill('harv');
    await isAsked;
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    const marked = page.locator('[role=option][aria-selected=true]');
    expect(await marked.textContent()).toContain('Harvest');
    letGo();
    await page.getByRole('option', { name: 'Harvest home' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.linked a', { hasText: /^Harvest$/ }).waitFor();
    await page.unroute('**/search/suggest*');
    await page.evaluate('localStorage.clear()');
  });
});
