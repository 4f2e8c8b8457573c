// Who may do what, in a real browser.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';

const path = browserForConsole();

describe.skipIf(path === null)('the view of people', () => {
  let api: TestApi;
  let browser: Browser;
  let console: ConsolePage;
  let page: Page;
  beforeAll(async () => {
    api = await startTestApi({ worker: false });
    const repository = `/repositories/${await api.repository('HARBOUR')}`;
    await api.ask('/users?password=a-long-password-of-hers', {
      method: 'POST',
      json: { username: 'clerk', name: 'Clerk <b>' },
    });
    const [group] = (await api.get(`${repository}/groups?group_code=repository-viewers`)).json;
    await api.post(group.uri, { ...group, member_usernames: ['clerk'] });
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
