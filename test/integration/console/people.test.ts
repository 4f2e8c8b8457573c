// Who may do what, in a real browser.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import { personBody } from '#test/support/records.ts';

const path = browserForConsole();

describe.skipIf(path === null)('the view of people', () => {
  let api: TestApi;
  let browser: TestBrowser;
  let console: ConsolePage;
  let page: Page;
  let repository: string;
  let seen: string;
  let accession: string;
  beforeAll(async () => {
    api = await startTestApi({ worker: false });
    repository = `/repositories/${await api.repository('HARBOUR')}`;
    seen = (await api.get(repository)).json.name;
    await api.repository('OTHER');
    const gift = { id_0: 'A1', accession_date: '2020-01-01', title: 'Gift' };
    accession = await api.create(`${repository}/accessions`, gift);
    await api.ask('/users?password=a-long-password-of-hers', {
      method: 'POST',
      json: { username: 'clerk', name: 'Clerk <b>' },
    });
    const [group] = (await api.get(`${repository}/groups?group_code=repository-viewers`)).json;
    await api.post(group.uri, { ...group, member_usernames: ['clerk'] });
    await api.ask('/users?password=a-long-password-of-theirs', {
      method: 'POST',
      json: { username: 'cataloguer', name: 'Cataloguer' },
    });
    const [archivists] = (await api.get(`${repository}/groups?group_code=repository-archivists`)).json;
    await api.post(archivists.uri, { ...archivists, member_usernames: ['cataloguer'] });
    browser = await startBrowser(path ?? '');
    console = await openConsole(browser, api, { viewport: { width: 1100, height: 900 } });
    ({ page } = console);
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
  });

  const cell = async (row: string | RegExp, column: string): Promise<string> => {
    const table = page.getByRole('region', { name: 'What groups may do' }).getByRole('table');
    const columns = await table.getByRole('columnheader').allTextContents();
    const cells = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: row, exact: true }) });
    return (await cells.getByRole('cell').allTextContents())[columns.indexOf(column) - 1] ?? 'no such cell';
  };

  it('shows what groups may do, who is in them, and who there is', async () => {
    await console.open('/people');
    await console.logIn();
    await page.getByRole('heading', { name: 'Who is in the groups' }).waitFor();
    expect(await cell('View repository', 'repository-viewers')).toBe('✓');
    expect(await cell('Manage repository', 'repository-viewers')).toBe('');
    expect(await cell('Manage repository', 'repository-managers')).toBe('✓');
    expect(await cell('Administer system', 'administrators (everywhere)')).toBe('✓');
    const members = page.getByRole('region', { name: 'Who is in the groups' });
    expect(await members.getByRole('row', { name: /repository-viewers/ }).textContent()).toContain('clerk');
    await page.getByRole('region', { name: 'Users' }).getByText('Clerk <b>').waitFor();
    expect(await console.faults()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await console.faults()).toEqual([]);
    await page.setViewportSize({ width: 1100, height: 900 });
    await console.picture('people');
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('rowheader', { name: 'Das Archiv verwalten', exact: true }).waitFor();
    // Every permission that is shown has a name.
    const codes: readonly string[] = (await api.get('/permissions?level=all')).json.map(
      (each: { permission_code: string }) => each.permission_code,
    );
    const named = await page
      .getByRole('region', { name: 'Was Gruppen dürfen' })
      .getByRole('rowheader')
      .allTextContents();
    expect(named.length).toBe(codes.length);
    expect(named.filter((name) => codes.some((code) => code.replaceAll('_', ' ') === name.toLowerCase()))).toEqual([]);
    await page.getByLabel('Sprache').selectOption('en');
  });

  it('leaves nothing of one user to the next, and shows no form that would be refused', async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.logIn('a-long-password-of-hers', 'clerk');
    await page.getByText('shown to those who manage it').waitFor();
    // The choice holds what this user may see, though the page was not loaded anew.
    await expect.poll(() => page.getByLabel('Repository').locator('option').allTextContents()).toEqual([seen]);
    expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
    for (const address of [`/new${repository}/accessions`, `/edit${accession}`]) {
      await console.open(address);
      await page.getByText('You may not change records like this one here.').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      expect(await console.faults()).toEqual([]);
    }
    // Earlier versions are for those who may save.
    await console.go(`/record${accession}`);
    await page.locator('article.record .foot').waitFor();
    expect(await page.getByText('History', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.logIn();
    await page.getByText('History', { exact: true }).waitFor();
  });

  it('asks nothing in the name of whoever logs in in another tab', async () => {
    const mine = await openConsole(browser, api);
    await mine.open('?q=first');
    await mine.logIn();
    await mine.page.locator('main .find').waitFor();
    const other = await mine.page.context().newPage();
    await other.goto(`${api.url}/console`);
    await other.getByRole('button', { name: 'Log out' }).click();
    await other.getByLabel('User', { exact: true }).fill('clerk');
    await other.getByLabel('Password', { exact: true }).fill('a-long-password-of-hers');
    await other.keyboard.press('Enter');
    await other.getByRole('button', { name: 'Log out' }).waitFor();
    const answers: number[] = [];
    mine.page.on('response', (reply) => {
      if (new URL(reply.url()).pathname.endsWith('/search')) answers.push(reply.status());
    });
    await mine.go('?q=second');
    await mine.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    // What else the page asks may have been told so before: then the one search would take the place of the other.
    await expect.poll(() => answers.length).toBe(1);
    await mine.go('?q=third');
    await expect.poll(() => answers.length).toBeGreaterThan(1);
    expect(new Set(answers)).toEqual(new Set([412]));
    await mine.logIn();
    await mine.page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => answers).toContain(200);
    await other.close();
  });

  it('shows the forms of agents and subjects, which belong to no repository, to archivists of one', async () => {
    await console.open();
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.logIn('a-long-password-of-theirs', 'cataloguer');
    const session = await api.login('cataloguer', 'a-long-password-of-theirs');
    const person = await api.create('/agents/people', personBody('Wallis'), session);
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    for (const address of ['/new/agents/people', '/new/subjects', `/edit${person}`, `/edit${accession}`]) {
      await console.open(address);
      await page.locator('form.editor').waitFor();
    }
    await console.open('/new/repositories');
    await page.getByText('You may not change records like this one here.').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.logIn();
    await page.locator('form.editor').waitFor();
  });

  it('says of an address where nothing is that nothing is there, with a heading', async () => {
    for (const [address, heading] of [
      ['/nowhere', 'There is nothing at this address'],
      [`/record${repository}/accessions/99`, 'Record'],
      [`/tree${repository}/resources/99`, 'Tree'],
      [`/job${repository}/jobs/99`, 'Job'],
    ]) {
      await console.go(address ?? '');
      await page.getByRole('heading', { level: 1, name: heading ?? '' }).waitFor();
      await page.locator('main .waiting').waitFor({ state: 'detached' });
      expect(await console.faults()).toEqual([]);
    }
    // Cut off within a character, as links in letters are.
    for (const address of ['/record/%', '/nowhere/%c3']) {
      expect((await page.goto(`${api.url}/console${address}`))?.status()).toBe(200);
      await page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor();
    }
  });

  it('is not offered to whoever manages nobody', async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await console.open('/people');
    await console.logIn('a-long-password-of-hers', 'clerk');
    await page.getByText('shown to those who manage it').waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Users' }).count()).toBe(0);
    expect(console.watched.broken).toEqual([]);
  });
});
