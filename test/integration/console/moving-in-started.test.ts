// A service that moves in by itself, begun in a real browser: a wrong password, the right one, the reading and the load followed to their end, and
// the records there. With CONSOLE_PICTURES=docs/guides/console the picture of the guide is made anew.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesForTests } from '#test/integration/cli/run-cli.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import { enter } from '#test/support/console-keys.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import { resourceBody } from '#test/support/records.ts';

const path = browserForConsole();
const files = filesForTests();

describe.skipIf(path === null)('moving in, begun in the console', () => {
  let source: TestApi;
  let api: TestApi;
  let browser: TestBrowser;
  let page: Page;
  let console: ConsolePage;
  let resource: string;
  beforeAll(async () => {
    source = await startTestApi({ worker: false });
    const repoId = await source.repository('HARBOUR');
    resource = await source.create(
      `/repositories/${repoId}/resources`,
      resourceBody('logs', { title: 'Pilots’ logs' }),
    );
    api = await startTestApi({
      worker: 'jobs',
      environment: { MUNIMENT_MIGRATION_SOURCES: source.url, MUNIMENT_MIGRATION_FOLDER: files.folder },
    });
    browser = await startBrowser(path ?? '');
    console = await openConsole(browser, api, { viewport: { width: 1100, height: 900 } });
    ({ page } = console);
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
    await source?.[Symbol.asyncDispose]();
  });

  it('says what is wrong with a login, keeps what was typed, and follows reading and load to the end', async () => {
    await console.open('/moving-in');
    await console.logIn();
    const address = page.getByLabel('Address of its interface for clients');
    await address.waitFor();
    expect(await address.inputValue()).toBe(source.url);
    expect(await console.faults()).toEqual([]);
    const password = page.getByLabel('Password there');
    await password.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'refused the password of admin' }).waitFor();
    expect(await password.inputValue()).toBe('wrong');
    expect(await console.faults()).toEqual([]);
    await password.fill(adminPassword);
    await enter(page, page.getByRole('button', { name: 'Read and load' }));
    const ended = (name: RegExp) => page.getByRole('row').filter({ hasText: name }).getByText('completed').waitFor();
    await ended(/Reading \d+/);
    await ended(/Load \d+/);
    expect([await password.inputValue(), await page.getByRole('alert').count()]).toEqual(['', 0]);
    await console.picture('moving-in');
    expect((await api.get(resource)).json).toEqual((await source.get(resource)).json);
    await page.getByRole('link', { name: /^Reading \d+$/ }).click();
    await page.getByText('Read now: ').waitFor();
    expect(await page.content()).not.toContain('wrong');
  });

  it('tells on a service where no source is named who can name one', async () => {
    const other = await openConsole(browser, source);
    await other.open('/moving-in');
    await other.logIn();
    await other.page.getByText('MUNIMENT_MIGRATION_SOURCES=').waitFor();
    expect(await other.page.getByRole('button', { name: 'Read and load' }).count()).toBe(0);
    expect(await other.faults()).toEqual([]);
  });
});
