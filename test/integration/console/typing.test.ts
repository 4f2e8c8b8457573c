// What is typed in forms, in a real browser, where something comes between: a slow save, another tab, the end of the session.
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import { resourceBody } from '#test/support/records.ts';

const path = browserForConsole();

describe.skipIf(path === null)('what is typed in forms', () => {
  let api: TestApi;
  let browser: TestBrowser;
  let console: ConsolePage;
  let page: Page;
  let repository: string;
  beforeAll(async () => {
    api = await startTestApi({ worker: false });
    repository = `/repositories/${await api.repository('HARBOUR')}`;
    browser = await startBrowser(path ?? '');
    console = await openConsole(browser, api);
    ({ page } = console);
    page.on('dialog', (dialog) => void dialog.accept());
    await console.open();
    await console.logIn();
    await page.locator('main .find').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
  });

  const fieldOf = (tab: Page, label: string) => tab.locator('.editor > .grid').getByLabel(label, { exact: true });
  const field = (label: string) => fieldOf(page, label);
  const save = (): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const titleOf = async (uri: string): Promise<string> => (await api.get(uri)).json.title;
  const edit = async (uri: string): Promise<void> => {
    await console.go(`/edit${uri}`);
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
});
