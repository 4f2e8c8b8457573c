// The page /docs in a real browser: opened, searched, and used as somebody would who has nothing else.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import type { TestBrowser, Watched } from '#test/support/browser.ts';
import { findBrowser, startBrowser, watch } from '#test/support/browser.ts';
import { tabTo } from '#test/support/console-keys.ts';
import { projectRoot } from '#test/support/service.ts';

const path = findBrowser();
if (path === null)
  console.warn('No Chromium on this machine: the page /docs is NOT TESTED. CHROMIUM_TEST names one that is elsewhere.');

describe.skipIf(path === null)('the page /docs', () => {
  let api: TestApi;
  let browser: TestBrowser;
  let page: Page;
  let watched: Watched;
  beforeAll(async () => {
    api = await startTestApi({ worker: 'jobs' });
    browser = await startBrowser(path ?? '');
    page = await browser.newPage();
    watched = watch(page);
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    watched.asked.length = 0;
    watched.broken.length = 0;
  });

  const open = async (fragment = ''): Promise<void> => {
    // Another fragment alone would be no new page.
    await page.goto('about:blank');
    await page.goto(`${api.url}/docs${fragment}`);
    await page.locator('details.area').first().waitFor();
  };
  const asked = (): readonly string[] => watched.asked.map((url) => url.replace(api.url, ''));
  const sections = (): readonly string[] => asked().filter((url) => url.startsWith('/openapi'));
  /** Opens an operation by its link; its form is there then. */
  const operation = async (id: string): Promise<Locator> => {
    await page.evaluate(`location.hash = ${JSON.stringify(id)}`);
    const found = page.locator(`details[id="${id}"]`);
    await found.getByRole('button', { name: 'Send' }).waitFor();
    return found;
  };
  const send = async (found: Locator): Promise<string> => {
    await found.getByRole('button', { name: 'Send' }).click();
    await found.locator('.reply .status').waitFor();
    return (await found.locator('.reply .status').textContent()) ?? '';
  };
  const reply = async (found: Locator): Promise<any> =>
    JSON.parse((await found.locator('.reply pre.content').textContent()) ?? '');
  const logIn = async (password: string): Promise<void> => {
    await page.getByLabel('User', { exact: true }).fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  };

  it('opens with its contents alone, and asks for a section when it is opened', async () => {
    await open();
    expect(sections()).toEqual([]);
    expect(watched.asked.filter((url) => !url.startsWith(api.url) && url !== 'about:blank')).toEqual([]);
    const whole: any = await (await fetch(`${api.url}/openapi.json`)).json();
    expect(await page.locator('details.area').count()).toBe(whole.tags.length);
    const count = Object.values<object>(whole.paths).flatMap((item) => Object.keys(item)).length;
    expect(await page.locator('details.operation').count()).toBe(count);
    expect(await page.locator('form.try').count()).toBe(0);

    await page.locator('details[id="area/subjects"] > summary').click();
    await page.locator('#listSubjects > summary').click();
    await page.locator('#listSubjects form.try').waitFor();
    await page.locator('#createSubject > summary').click();
    await page.locator('#createSubject form.try').waitFor();
    expect(sections()).toEqual(['/openapi/subjects.json']);
    expect(watched.broken).toEqual([]);
  });

  it('finds operations by words of method, path, summary and name', async () => {
    await open();
    await page.keyboard.press('/');
    await page.keyboard.type('post MERGE agent');
    await page.locator('#page-found', { hasText: 'operations' }).waitFor();
    const shown = page.locator('details.operation:visible');
    const texts = await shown.allTextContents();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.length).toBeLessThan(20);
    for (const text of texts) expect(text).toMatch(/POST.*merge/i);
    expect(sections()).toEqual([]);
    await page.getByLabel('Filter').fill('exportResourceAsEad');
    expect(await shown.count()).toBe(2);
    await page.getByLabel('Filter').fill('');
    expect(await shown.count()).toBe(0);
  });

  it('opens what its address names, and works by keys alone', async () => {
    await open('#listSubjects');
    const found = page.locator('#listSubjects');
    await found.getByRole('button', { name: 'Send' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.parentElement.id')).toBe('listSubjects');
    await page.keyboard.press('Enter');
    expect(await found.getAttribute('open')).toBeNull();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('listSubjects.query.page');
    await page.keyboard.press('Enter');
    await found.locator('.reply .status').waitFor();
    expect(await found.locator('.reply .status').textContent()).toBe('200 OK');
    await open('#area/top-containers');
    expect(await page.locator('details.area[open]').count()).toBe(1);
    for (const label of await page.locator('label:visible').all())
      expect(await page.locator(`[id="${await label.getAttribute('for')}"]`).count()).toBe(1);
  });

  it('shows its contents also where the address names what cannot be read', async () => {
    await open('#%E0%A4%A');
    expect(await page.getByRole('alert').filter({ hasText: 'cannot be read' }).count()).toBe(0);
    expect(watched.broken).toEqual([]);
  });

  it('keeps the focus near where it was, and never behind its head', async () => {
    await open();
    const focus = (): Promise<string> =>
      page.evaluate('document.activeElement.id || document.activeElement.textContent.slice(0, 40)');
    await tabTo(page, page.getByLabel('User', { exact: true }));
    await page.keyboard.type('admin');
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type('wrong');
    await tabTo(page, page.getByRole('button', { name: 'Log in' }));
    await page.keyboard.press('Enter');
    await page.getByText('Wrong user or password.').waitFor();
    await expect.poll(focus).toBe('page-password');
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Logged in as admin').waitFor();
    await expect.poll(focus).toBe('Log out');
    await page.keyboard.press('Enter');
    await expect.poll(focus).toBe('page-user');
    await page.getByLabel('Filter').fill('users');
    const found = await operation('getCurrentUser');
    await tabTo(page, found.getByRole('button', { name: 'Send' }));
    await page.keyboard.press('Enter');
    await found.locator('.reply .status').waitFor();
    await expect
      .poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toBe('Reply of getCurrentUser');
    await page.locator('details.operation:visible > summary').last().focus();
    await tabTo(page, page.locator('details.operation:visible > summary').first(), 'Shift+Tab');
  });

  it('has all its forms in the width of a small screen, which is that of others at 400 %', async () => {
    await open();
    await page.setViewportSize({ width: 320, height: 256 });
    for (const id of ['searchTopContainers', 'search', 'importBatch', 'createJobWithFiles']) {
      await operation(id);
      expect([id, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([id, 320]);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('logs in once, and makes, lists, uploads and downloads', async () => {
    await open();
    await logIn('wrong');
    await page.getByText('Wrong user or password.').waitFor();
    await logIn(adminPassword);
    await page.getByText('Logged in as admin').waitFor();

    const created = await operation('createRepository');
    await created.getByLabel('Body', { exact: true }).fill('{"repo_code": "page", "name": "Made on the page"}');
    expect(await send(created)).toBe('200 OK');
    const repoId = String((await reply(created)).id);

    const upload = await operation('createJobWithFiles');
    await upload.getByLabel('repo_id').fill(repoId);
    await upload.getByLabel('files[]').setInputFiles(`${projectRoot}test/fixtures/formats/ead/harbour.xml`);
    expect(await upload.locator('.command').textContent()).toContain(`-F 'files[]=@"harbour.xml"'`);
    expect(await send(upload)).toBe('200 OK');
    const job = await operation('getJob');
    await job.getByLabel('repo_id').fill(repoId);
    await job.getByLabel(/^id/).fill(String((await reply(upload)).id));
    await expect.poll(async () => (await send(job)) && (await reply(job)).status).toBe('completed');

    const list = await operation('listResources');
    expect(await list.getByLabel('repo_id').inputValue()).toBe(repoId);
    expect(await send(list)).toBe('200 OK');
    const [resource] = (await reply(list)).results;
    const ead = await operation('exportResourceAsEad');
    await ead.getByLabel(/^id/).fill(resource.uri.split('/').at(-1));
    expect(await send(ead)).toBe('200 OK');
    const downloading = page.waitForEvent('download');
    await ead.getByRole('button', { name: 'Download' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('exportResourceAsEad.xml');
    expect(await readFile(await download.path(), 'utf8')).toMatch(/<ead[\s>][\s\S]*<\/ead>/);

    // A reload is no logout, a logout ends the session at the service too.
    await open('#getCurrentUser');
    expect(await send(await operation('getCurrentUser'))).toBe('200 OK');
    expect(watched.broken).toEqual([]);
  });

  it('shows markup in a reply as text', async () => {
    const title = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const found = await operation('createSubject');
    const body = JSON.parse(await found.getByLabel('Body', { exact: true }).inputValue());
    await found
      .getByLabel('Body', { exact: true })
      .fill(JSON.stringify({ ...body, terms: [{ ...body.terms[0], term: title }] }));
    expect(await send(found)).toBe('200 OK');
    const { id } = await reply(found);
    const read = await operation('getSubject');
    await read.getByLabel(/^id/).fill(String(id));
    expect(await send(read)).toBe('200 OK');
    expect((await reply(read)).title).toContain('<img src=x');
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('Muniment: the HTTP interface');
    // Nor could it run if it were read as HTML.
    await expect(page.evaluate(`document.body.innerHTML = '<b>no</b>'`)).rejects.toThrow(/TrustedHTML/);
  });

  it('gives the very request as a curl line, without the token', async () => {
    const found = await operation('listSubjects');
    await found.getByLabel('resolve[]').fill("a\nit's");
    const line = (await found.locator('.command').textContent()) ?? '';
    expect(line).toBe(
      `curl -g '${api.url}/subjects?page=1&resolve[]=a&resolve[]=it'\\''s' \\\n  -H "x-service-session: $SESSION"`,
    );
    watched.asked.length = 0;
    await send(found);
    expect(asked().map(decodeURIComponent)).toEqual(["/subjects?page=1&resolve[]=a&resolve[]=it's"]);
    const login = await operation('login');
    await login.getByLabel('password', { exact: false }).fill('secret');
    expect(await login.locator('.command').textContent()).not.toContain('secret');
  });

  it('gives text as it is in a curl line, also where it begins with the sign for a file', async () => {
    const found = await operation('createSubject');
    await found.locator('textarea.body').fill('@/etc/hostname');
    expect(await found.locator('.command').textContent()).toContain("--data-raw '@/etc/hostname'");
  });

  it('keeps a session that was begun after a request whose own is gone', async () => {
    const found = await operation('getCurrentUser');
    const { promise: isNew, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(
      '**/users/current-user',
      async (route) => {
        await isNew;
        await route.fulfill({ status: 412, json: { error: 'No session found', code: 'SESSION_GONE' } });
      },
      { times: 1 },
    );
    const isAsked = page.waitForRequest('**/users/current-user');
    await found.getByRole('button', { name: 'Send' }).click();
    await isAsked;
    await page.getByRole('button', { name: 'Log out' }).click();
    await logIn(adminPassword);
    await page.getByText('Logged in as admin').waitFor();
    letGo();
    await found.locator('.reply .status').filter({ hasText: '412' }).waitFor();
    expect(await page.getByText('Logged in as admin').count()).toBe(1);
  });

  it('says when the session has ended', async () => {
    const token: string = await page.evaluate(`JSON.parse(sessionStorage.getItem('muniment.session')).token`);
    await api.ask('/logout', { method: 'POST', session: token });
    const found = await operation('getCurrentUser');
    await expect.poll(async () => send(found)).toBe('412 Precondition Failed');
    await page.getByText('The session has ended. Log in again.').waitFor();
    await logIn(adminPassword);
    await page.getByText('Logged in as admin').waitFor();
    expect(await send(found)).toBe('200 OK');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('User', { exact: true }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await send(found)).not.toBe('200 OK');
  });
});
