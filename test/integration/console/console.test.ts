// The console in a real browser, as somebody uses it who has nothing else. With CONSOLE_PICTURES=docs/guides/console the pictures of the guide are made anew.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { ConsolePage } from '#test/support/console.ts';
import { browserForConsole, openConsole } from '#test/support/console.ts';
import { largeTree } from '#test/support/large-tree.ts';
import { resourceBody } from '#test/support/records.ts';
import { projectRoot } from '#test/support/service.ts';

const path = browserForConsole();

const hostile =
  '<emph render="italic">Letters</emph> <script>document.title=1</script><img src=x onerror="document.title=2">';
const arabic = 'أوراق الميناء ورسائل البحارة';
const siblings = 1200;

const typeOnWhenPut = `{
  const put = history.replaceState;
  history.replaceState = (...to) => {
    history.replaceState = put;
    put.apply(history, to);
    const field = document.querySelector('input[role=combobox], input[type=search]');
    field.value = 'logbooks';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
}`;

describe.skipIf(path === null)('the console', () => {
  let api: TestApi;
  let browser: TestBrowser;
  let page: Page;
  let console: ConsolePage;
  let repository: string;
  let tree: string;
  beforeAll(async () => {
    api = await startTestApi();
    const repoId = await api.repository('HARBOUR');
    repository = `/repositories/${repoId}`;
    await api.create(`${repository}/resources`, resourceBody('hostile', { title: hostile }));
    await api.create(`${repository}/resources`, resourceBody('rtl', { title: arabic }));
    tree = await largeTree(api, repoId, { code: 'logs', count: siblings, root: { title: 'Logbooks of all ships' } });
    browser = await startBrowser(path ?? '');
    console = await openConsole(browser, api);
    ({ page } = console);
  });
  afterAll(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
  });

  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.id || document.activeElement.textContent');

  it('opens with less than 150 KB from this service alone, after a login that says what is wrong', async () => {
    let bytes = 0;
    page.on(
      'response',
      (response) =>
        void response.body().then(
          (body) => (bytes += body.length),
          () => undefined,
        ),
    );
    await console.open();
    await page.getByLabel('Password', { exact: true }).waitFor();
    expect(await console.faults()).toEqual([]);
    await console.logIn('wrong');
    await page.getByText('Wrong user or password.').waitFor();
    await console.logIn();
    await page.locator('.results').waitFor();
    expect(bytes).toBeGreaterThan(30_000);
    expect(bytes).toBeLessThan(150_000);
    expect(console.watched.asked.filter((url) => !url.startsWith(api.url))).toEqual([]);
    expect(console.watched.broken).toEqual([]);
    // The session is out of reach of scripts.
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  it('finds while somebody types, keeps it in the address, and narrows down', async () => {
    const found = async (): Promise<number> =>
      (await api.get(`${repository}/search?page=1&type[]=archival_object`)).json.total_hits;
    await expect.poll(found).toBe(siblings);
    await page.getByLabel('Search').fill('logb');
    await page.getByRole('option', { name: /Logbooks of all ships/ }).waitFor();
    await page.getByRole('status').filter({ hasText: /found/ }).waitFor();
    await page.waitForURL(/q=logb/);
    await page.locator('.results .title', { hasText: 'Logbooks of all ships' }).waitFor();
    await console.picture('typing');
    await page.getByLabel('Search').fill('');
    // A link of the results before would bring their words back; and the very first ones are in sight until others have come.
    await page.waitForURL((url) => !url.searchParams.has('q'));
    const component = page.getByRole('link', { name: 'Component' });
    await expect.poll(() => component.getAttribute('href')).not.toContain('q=');
    await page.locator('.results .title', { hasText: arabic }).waitFor();
    await component.click();
    await page.waitForURL(/f=primary_type/);
    await page.getByRole('status').filter({ hasText: '1,200 found' }).waitFor();
    expect(await page.locator('.results .path').first().textContent()).toContain('Logbooks of all ships');
    expect(await console.faults()).toEqual([]);
    await console.picture('search');
    await page.reload();
    await page.getByRole('status').filter({ hasText: '1,200 found' }).waitFor();
    await page.getByRole('link', { name: /Take this filter away/ }).click();
    await page.locator('.results .title', { hasText: arabic }).waitFor();
    await page.goBack();
    await page.getByRole('status').filter({ hasText: '1,200 found' }).waitFor();
    await console.open();
    await page.locator('.results').waitFor();
    // Somebody types on in the moment in which what they typed before is put into the address.
    await page.evaluate(typeOnWhenPut);
    await page.getByLabel('Search').fill('lo');
    await page.waitForURL(/q=logbooks$/);
    expect(await page.getByLabel('Search').inputValue()).toBe('logbooks');
    await console.open('?q=logbuks');
    await page.getByText('Did you mean').waitFor();
    await page.getByRole('link', { name: /logbooks/ }).click();
    await page.locator('.results .title', { hasText: 'Logbooks of all ships' }).waitFor();
  });

  it('shows markup as it is meant, and what is none as text', async () => {
    await console.open(`/record${repository}/resources/1`);
    const head = page.getByRole('heading', { level: 1 });
    await head.waitFor();
    expect(await head.locator('em').textContent()).toBe('Letters');
    expect(await head.textContent()).toContain(
      '<script>document.title=1</script><img src=x onerror="document.title=2">',
    );
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toContain('Letters');
    await expect(page.evaluate(`document.body.innerHTML = '<b>no</b>'`)).rejects.toThrow(/TrustedHTML/);
    await page.getByText('History').click();
    await page.getByText('Made', { exact: true }).waitFor();
    expect(await console.faults()).toEqual([]);
    await page.getByRole('button', { name: 'JSON' }).click();
    expect(JSON.parse((await page.locator('main pre').textContent()) ?? '').title).toBe(hostile);
    // What marks a title up has no place in that of the window; what is none stays text.
    await console.open(`/tree${repository}/resources/1`);
    await expect
      .poll(() => page.title())
      .toBe('Letters <script>document.title=1</script><img src=x onerror="document.title=2"> – Muniment');
    await console.open(`/record${repository}/resources/2`);
    await head.filter({ hasText: arabic }).waitFor();
    expect(await page.evaluate(`getComputedStyle(document.querySelector('h1 bdi')).unicodeBidi`)).toBe('isolate');
  });

  it('shows pictures of this service alone, and links to those of others', async () => {
    const thumbnail = { jsonmodel_type: 'file_version', publish: true, use_statement: 'image-thumbnail' };
    const elsewhere = 'https://example.org/pilot.jpg';
    const uri = await api.create(`${repository}/digital_objects`, {
      title: 'Pilot boat',
      digital_object_id: 'boat',
      file_versions: [
        { ...thumbnail, file_uri: `${api.url}/console/files/any/icon.svg`, caption: 'The boat' },
        { ...thumbnail, file_uri: `${api.url}/console/files/any/page.css`, caption: 'No picture' },
        { ...thumbnail, file_uri: elsewhere, caption: 'The pilot' },
        { ...thumbnail, file_uri: 'shelf 3/boat.tif', xlink_show_attribute: 'embed' },
      ],
    });
    await console.open(`/record${uri}`);
    const picture = page.getByRole('link', { name: 'The boat' }).getByRole('img');
    await picture.waitFor();
    await expect.poll(() => page.evaluate("document.querySelector('main img')?.naturalWidth")).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'No picture' }).filter({ hasText: 'No picture' }).waitFor();
    expect(await page.locator('main img').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'The pilot' }).getAttribute('href')).toBe(elsewhere);
    await page.getByText('shelf 3/boat.tif').waitFor();
    expect(console.watched.asked.filter((url) => !url.startsWith(api.url))).toEqual([]);
    expect(await console.faults()).toEqual([]);
  });

  it('goes through a tree by keys, of which only what is in sight is there', async () => {
    await console.open(`/record${tree}`);
    await page.getByRole('link', { name: 'Show in its tree' }).click();
    const box = page.getByRole('tree');
    await box.focus();
    await page.keyboard.press('End');
    const last = page.locator('.row.active');
    await last.filter({ hasText: `File ${siblings - 1}` }).waitFor();
    expect(await last.getAttribute('aria-posinset')).toBe(String(siblings));
    expect(await last.getAttribute('aria-setsize')).toBe(String(siblings));
    expect(await box.getAttribute('aria-activedescendant')).toBe(await last.getAttribute('id'));
    expect(await page.getByRole('treeitem').count()).toBeLessThan(80);
    const leaf = (await last.locator('a').getAttribute('href'))?.replace('/console/record', '') ?? '';
    await api.create(`${repository}/archival_objects`, {
      title: 'Page of the storm',
      level: 'item',
      resource: { ref: tree },
      parent: { ref: leaf },
    });
    await page.reload();
    await box.focus();
    await page.keyboard.press('End');
    await last.filter({ hasText: '(1)' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await last.filter({ hasText: 'Page of the storm' }).waitFor();
    expect(await last.getAttribute('aria-level')).toBe('2');
    expect(await console.faults()).toEqual([]);
    await console.picture('tree');
    await page.keyboard.press('ArrowLeft');
    expect(await last.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    expect(await last.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Page of the storm' }).waitFor();
    // From the record back to its place.
    await page.getByRole('link', { name: 'Show in its tree' }).click();
    await last.filter({ hasText: 'Page of the storm' }).waitFor();
  });

  it('checks a file, says what is wrong with one, and imports into what came in', async () => {
    await console.open('/import');
    const choose = page.locator('input[type=file]');
    await choose.waitFor();
    const broken = '<?xml version="1.0"?>\n<ead>\n<eadheader>\n</ead>';
    await choose.setInputFiles({ name: 'broken.xml', mimeType: 'text/xml', buffer: Buffer.from(broken) });
    await page.getByRole('button', { name: 'Check only' }).click();
    await page.getByRole('heading', { name: 'What has to be mended' }).waitFor();
    expect(await page.locator('.fault-box li').allTextContents()).toEqual([
      'Line 4, column 6: The document is not well-formed XML: unexpected close tag.',
    ]);
    expect(await console.faults()).toEqual([]);
    await console.picture('faults');
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await choose.setInputFiles(`${projectRoot}test/fixtures/formats/ead/harbour.xml`);
    expect(await page.getByLabel('Read as').inputValue()).toBe('ead_xml');
    expect(await console.faults()).toEqual([]);
    await console.picture('import');
    await page.getByRole('button', { name: 'Check only' }).click();
    await page.locator('.log', { hasText: 'the files can be imported' }).waitFor();
    await page.locator('.status.completed').waitFor();
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await choose.setInputFiles(`${projectRoot}test/fixtures/formats/ead/harbour.xml`);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: /records came in/ }).waitFor();
    await console.picture('job');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'harbour.xml' }).first().click();
    expect((await downloading).suggestedFilename()).toBe('harbour.xml');
    await page.locator('section[aria-labelledby=made] a[href*="/resources/"]').click();
    await page.getByRole('link', { name: 'Show in its tree' }).waitFor();
    await console.picture('record');
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('cell', { name: 'failed' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(3);
    expect(await console.faults()).toEqual([]);
  });

  it('asks for a login where the session has ended, and goes on where one was', async () => {
    await console.open();
    await page.getByLabel('Search').fill('Wallaby');
    await page.getByText('Nothing was found.').waitFor();
    const [cookie] = await page.context().cookies();
    await api.ask('/logout', { method: 'POST', session: cookie?.value ?? '' });
    await page.getByLabel('Search').fill('Logbooks');
    const window = page.getByRole('dialog', { name: 'Your session has ended' });
    await window.waitFor();
    // Browsers close a window at the third one, whatever the page says.
    for (let time = 0; time < 4; time += 1) await page.keyboard.press('Escape');
    expect(await window.isVisible()).toBe(true);
    expect(await console.faults()).toEqual([]);
    await console.logIn();
    await page.locator('.results .title', { hasText: 'Logbooks of all ships' }).waitFor();
    expect(await window.count()).toBe(0);
    await expect.poll(focused).toBe('search');
    expect(await page.getByLabel('Search').inputValue()).toBe('Logbooks');
  });

  it('shows what is chosen where the colours are those of the system, which leave grounds out', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    /** Whether an element looks otherwise after something was done, which moves the focus from elsewhere to elsewhere. */
    const changes = async (of: Locator, act: () => Promise<void>): Promise<boolean> => {
      const before = await of.screenshot();
      await act();
      return !before.equals(await of.screenshot());
    };
    await console.open();
    await page.getByLabel('Search').fill('File');
    const option = page.locator('.suggestions li').first();
    await option.waitFor();
    expect(await changes(option, () => page.keyboard.press('ArrowDown'))).toBe(true);
    await console.go(`/tree${tree}`);
    const row = page.getByRole('treeitem').nth(1);
    await row.waitFor();
    const home = page.getByRole('link', { name: 'Muniment' });
    await home.focus();
    expect(
      await changes(row, () =>
        page
          .getByRole('tree')
          .press('ArrowDown')
          .then(() => home.focus()),
      ),
    ).toBe(true);
    await console.go(`/record${tree}`);
    const json = page.getByRole('button', { name: 'JSON' });
    await json.waitFor();
    await home.focus();
    expect(await changes(json, () => json.press('Enter').then(() => home.focus()))).toBe(true);
    await page.emulateMedia({ forcedColors: null });
  });

  it('is used by keys alone, on a phone and in German', async () => {
    const phone = await openConsole(browser, api, { viewport: { width: 380, height: 720 }, locale: 'de-DE' });
    const { page: german } = phone;
    await phone.open();
    await german.getByLabel('Benutzer').waitFor();
    await german.keyboard.press('Tab');
    await german.keyboard.type('admin');
    await german.keyboard.press('Tab');
    await german.keyboard.type(adminPassword);
    await german.keyboard.press('Enter');
    await german.locator('.results').waitFor();
    expect(await german.evaluate('document.documentElement.lang')).toBe('de');
    expect(await german.evaluate('document.documentElement.scrollWidth')).toBe(380);
    const was = page;
    page = german;
    // From the top of the page: the first stop leads past the navigation. After the login the focus is in the view already.
    await page.reload();
    await page.locator('.results').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Zum Inhalt');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('search');
    await page.keyboard.type('logbooks');
    await page
      .getByRole('option', { name: /Logbooks/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('#search').getAttribute('aria-activedescendant')).toBe('search-suggestion-0');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Logbooks of all ships' }).waitFor();
    await expect.poll(focused).toBe('main');
    await page.getByText('Umfang').waitFor();
    expect(await phone.faults()).toEqual([]);
    await phone.picture('phone');
    await page.getByRole('button', { name: 'Abmelden' }).press('Enter');
    await page.getByLabel('Passwort').waitFor();
    await page.close();
    page = was;
  });
});
