// Records in forms made from their schemas, in a real browser: from an imported finding aid to what the service then has.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import type { TestBrowser } from '#test/support/browser.ts';
import type { ConsolePage, ServedConsole } from '#test/support/console.ts';
import { browserForConsole, openConsole, serveConsole } from '#test/support/console.ts';
import { personBody, resourceBody } from '#test/support/records.ts';
import { projectRoot } from '#test/support/service.ts';

const path = browserForConsole();
const hostile = '<emph render="italic">Letters</emph> <script>document.title=1</script><img src=x onerror="x()">';
const arabic = 'أوراق الميناء ورسائل البحارة';

describe.skipIf(path === null)('records in forms', () => {
  let served: ServedConsole;
  let api: TestApi;
  let browser: TestBrowser;
  let console: ConsolePage;
  let page: Page;
  let repository: string;
  beforeAll(async () => {
    served = await serveConsole(path);
    ({ api, browser, console, page, repository } = served);
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  const record = async (uri: string): Promise<any> => (await api.get(uri)).json;
  const save = (): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
  const field = (label: string) => page.locator('.editor > .grid').getByLabel(label, { exact: true });
  const within = (group: string) => page.getByRole('group', { name: group, exact: true });
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const edit = async (uri: string): Promise<void> => {
    await console.go(`/edit${uri}`);
    await page.locator('form.editor').waitFor();
  };

  it('changes a record of an imported finding aid, and leaves everything else of it as it was', async () => {
    await console.go('/import');
    await page.locator('input[type=file]').setInputFiles(`${projectRoot}test/fixtures/formats/ead/harbour.xml`);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.locator('section[aria-labelledby=made] a[href*="/resources/"]').click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await field('Title').waitFor();
    const uri = new URL(page.url()).pathname.replace('/console/edit', '');
    const before = await record(uri);
    expect(await field('Title').inputValue()).toBe('Harbour Board records');
    expect(await field('Level').inputValue()).toBe('collection');
    expect(await field('Title').getAttribute('aria-required')).toBe('true');
    await page.getByText('Nothing has been changed yet.').waitFor();
    expect(await console.faults()).toEqual([]);
    await console.picture('form');

    await field('Title').fill('Records of the Harbour Board');
    await page.getByRole('button', { name: '+ Another: Dates' }).click();
    const second = within('Date 2');
    await second.getByLabel('Label').selectOption('creation');
    await second.getByLabel('Date type').selectOption('single');
    await second.getByLabel('Begin').fill('1960');
    await second.getByRole('button', { name: 'Move up: Date 2' }).click();
    await expect.poll(() => within('Date 1').getByLabel('Begin').inputValue()).toBe('1960');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Move down: Date 1');
    await page.getByText('Not saved yet.').waitFor();
    await save();
    await heading('Records of the Harbour Board').waitFor();
    const after = await record(uri);
    expect(after.title).toBe('Records of the Harbour Board');
    expect(after.dates.map((date: any) => date.begin)).toEqual(['1960', '1872']);
    expect(after.notes).toEqual(before.notes);
    expect(after.linked_agents).toEqual(before.linked_agents);
    expect(await page.evaluate(`localStorage.length && Object.keys(localStorage).join()`)).not.toContain('draft');
    expect(console.watched.broken).toEqual([]);
  });

  it('finds what is to be linked while its title is typed', async () => {
    await api.create('/subjects', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: 'Lighthouses', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    const person = await api.create('/agents/people', personBody('Wallis'));
    const found = async (): Promise<number> =>
      (await api.get(`${repository}/search/suggest?q=Wall`)).json.suggestions.length;
    await expect.poll(found).toBe(1);
    const uri = await api.create(`${repository}/accessions`, {
      id_0: 'A1',
      accession_date: '2020-01-01',
      title: 'Gift',
    });
    await edit(uri);
    await page.getByRole('button', { name: '+ Agents' }).click();
    await within('Agents 1').getByRole('combobox', { name: 'Agents' }).fill('Walli');
    await page.getByRole('option', { name: /Wallis/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await within('Agents 1').getByRole('link', { name: 'Wallis' }).waitFor();
    await within('Agents 1').getByLabel('Role').selectOption('creator');
    expect(await console.faults(within('Agents 1'))).toEqual([]);
    await save();
    // The form has the same title.
    await page.waitForURL(`**/console/record${uri}`);
    expect((await record(uri)).linked_agents).toMatchObject([{ ref: person, role: 'creator' }]);
  });

  it('compares any two versions of a record', async () => {
    const body = { id_0: 'A3', accession_date: '2020-01-01', title: 'Sketches' };
    const uri = await api.create(`${repository}/accessions`, body);
    for (const title of ['Drawings', 'Paintings']) await api.post(uri, { ...(await record(uri)), title });
    await console.go(`/record${uri}`);
    await page.getByText('History', { exact: true }).click();
    await page.getByText('Compare two versions').click();
    await page.getByRole('combobox', { name: 'From', exact: true }).selectOption({ index: 3 });
    await page.getByRole('combobox', { name: 'To', exact: true }).selectOption({ index: 1 });
    const rows = page.locator('.comparing').getByRole('row');
    await rows.filter({ hasText: 'Paintings' }).waitFor();
    expect(await rows.filter({ hasText: 'Sketches' }).textContent()).toBe('TitleSketchesPaintings');
    expect(await page.locator('.comparing').textContent()).not.toContain('Drawings');
    expect(await console.faults()).toEqual([]);
    await page.getByRole('combobox', { name: 'From', exact: true }).selectOption({ index: 1 });
    await page.getByText('These two say the same.').waitFor();
  });

  it('brings back what a record was, from its history', async () => {
    const body = { id_0: 'A2', accession_date: '2020-01-01', title: 'Charts of the bay' };
    const uri = await api.create(`${repository}/accessions`, body);
    await api.post(uri, { ...(await record(uri)), title: 'Charts of the sea' });
    await console.go(`/record${uri}`);
    await heading('Charts of the sea').waitFor();
    await page.getByText('History', { exact: true }).click();
    // What it is now is nothing to go back to.
    const buttons = page.locator('.history').getByRole('button', { name: 'Bring this version back' });
    await buttons.first().waitFor();
    expect(await buttons.count()).toBe(1);
    await buttons.click();
    expect(await console.faults(page.getByRole('dialog'))).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Bring this version back' }).click();
    await heading('Charts of the bay').waitFor();
    expect(await record(uri)).toMatchObject({ title: 'Charts of the bay', lock_version: 2 });
  });

  it('offers the forms of what somebody may make', async () => {
    await console.open();
    await page.getByText('New record').click();
    expect(await console.faults()).toEqual([]);
    await page.getByRole('search').getByRole('link', { name: 'Person' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/new/agents/people');
  });

  it('makes new records of other kinds, from nothing but their schemas', async () => {
    await console.go('/new/agents/people');
    await within('Name 1').getByLabel('Primary name').fill('Okafor');
    await within('Name 1').getByLabel('Name order').selectOption('direct');
    await save();
    await heading('Okafor').waitFor();
    await console.go('/new/locations');
    await field('Building').fill('Quay 3');
    await field('Barcode').fill('Q3');
    await save();
    await heading(/Quay 3/).waitFor();
    await console.go(`/new${repository}/top_containers`);
    await field('Indicator').fill('17');
    await save();
    await heading(/17/).waitFor();
    await console.go('/new/subjects');
    await field('Source').selectOption('local');
    await page.locator('#f-vocabulary').selectOption('/vocabularies/1');
    await within('Term 1').getByLabel('Term', { exact: true }).fill('Tide tables');
    await within('Term 1').getByLabel('Term type').selectOption('topical');
    await within('Term 1').getByLabel('Vocabulary').selectOption('/vocabularies/1');
    await save();
    await heading('Tide tables').waitFor();
    await console.go(`/new${repository}/digital_objects`);
    await field('Title').fill('Photograph of the quay');
    await field('Identifier').fill('do-1');
    await page.getByRole('button', { name: '+ Files' }).click();
    await within('File version 1').getByLabel('Address').fill('https://example.org/quay.jpg');
    await save();
    await heading('Photograph of the quay').waitFor();
  });

  it('says at the field what is wrong with it', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('wrong', { title: 'Wrong dates' }));
    await edit(uri);
    await field('Title').fill('');
    await within('Date 1').getByLabel('Begin').fill('yesterday');
    await save();
    const list = within('This could not be saved yet:');
    await list.waitFor();
    const begin = within('Date 1').getByLabel('Begin');
    expect(await begin.getAttribute('aria-invalid')).toBe('true');
    const said = await begin.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${said}"]`).textContent()).toMatch(/not a valid date/i);
    expect(await list.textContent()).toContain('Dates › 1 › Begin');
    for (const part of [list, within('Date 1')]) expect(await console.faults(part)).toEqual([]);
    await console.picture('form-faults');
    await list.getByRole('button', { name: 'Dates › 1 › Begin' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('f-dates-0-begin');
    await begin.fill('1901');
    expect(await begin.getAttribute('aria-invalid')).toBeNull();
    await field('Title').fill('Right dates');
    await save();
    await heading('Right dates').waitFor();
    expect((await record(uri)).dates[0].begin).toBe('1901');
  });

  it('shows what somebody else saved meanwhile beside what was typed, and saves what is chosen', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('both', { title: 'Charts', ead_id: 'old' }));
    await edit(uri);
    await field('Title').waitFor();
    await api.post(uri, { ...(await record(uri)), title: 'Sea charts', ead_id: 'charts' });

    await field('Title').fill('Charts of the harbour');
    await field('Finding aid status').selectOption('completed');
    await save();
    await page.getByRole('heading', { name: 'Somebody else saved this record meanwhile' }).waitFor();
    const title = within('Title');
    expect(await title.textContent()).toContain('Sea charts');
    expect(await title.textContent()).toContain('Charts of the harbour');
    expect(await page.getByRole('row', { name: /EAD ID/ }).textContent()).toContain('charts');
    expect(await console.faults()).toEqual([]);
    await console.picture('conflict');
    await page.getByRole('button', { name: 'Go on with this choice' }).click();
    await page.getByText('Choose for each field first.').waitFor();
    await title.getByLabel('Yours').check();
    await page.getByRole('button', { name: 'Go on with this choice' }).click();
    await heading('Charts of the harbour').waitFor();
    expect(await record(uri)).toMatchObject({
      title: 'Charts of the harbour',
      ead_id: 'charts',
      finding_aid_status: 'completed',
    });
  });

  it('keeps what was typed over a reload, asks before leaving, and throws it away only when told to', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('draft', { title: 'Before' }));
    await edit(uri);
    await field('Title').fill('Half a title');
    await page.reload();
    const notice = page.getByText(/There is something that you typed here/);
    await notice.waitFor();
    expect(await field('Title').inputValue()).toBe('Half a title');
    expect(await console.faults(notice.locator('..'))).toEqual([]);
    await page.getByRole('link', { name: 'Jobs' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.waitFor();
    expect(await console.faults(question)).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(page.url()).toContain('/edit/');
    await page.getByRole('link', { name: 'Jobs' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/\/console\/jobs/);
    await edit(uri);
    expect(await field('Title').inputValue()).toBe('Half a title');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await heading('Before').waitFor();
    await edit(uri);
    expect(await field('Title').inputValue()).toBe('Before');
  });

  it('goes by Back and Forward as far as they were to go, after it has asked', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('back', { title: 'Ways' }));
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const leave = question.getByRole('button', { name: 'Leave' });
    const at = () => new URL(page.url()).pathname;
    await console.open();
    for (const view of ['Import', 'Jobs'] as const) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await heading(view).waitFor();
    }
    await console.go(`/edit${uri}`);
    await field('Title').fill('Half a title');
    await page.evaluate('history.back()');
    await question.waitFor();
    await expect.poll(at).toBe(`/console/edit${uri}`);
    await page.keyboard.press('Escape');
    await page.evaluate('history.back()');
    await leave.click();
    await heading('Jobs').waitFor();
    // Nothing of the form is left to be gone back through.
    await page.evaluate('history.back()');
    await heading('Import').waitFor();
    await page.evaluate('history.go(2)');
    await expect.poll(() => field('Title').inputValue()).toBe('Half a title');
    await page.evaluate('history.go(-2)');
    await leave.click();
    await heading('Import').waitFor();
    expect(at()).toBe('/console/import');
  });

  it('offers what an assessment may be rated by, by its name', async () => {
    const at = `${repository}/assessment_attribute_definitions`;
    const own = { label: 'Smell', type: 'rating' };
    expect((await api.post(at, { definitions: [own, { label: 'Mould', type: 'format' }] })).status).toBe(200);
    const { definitions } = (await api.get(at)).json as {
      definitions: readonly { readonly id: number; readonly label: string; readonly type: string }[];
    };
    const ratings = definitions.filter(({ type }) => type === 'rating');
    const person = await api.create('/agents/people', personBody('Rater'));
    const uri = await api.create(`${repository}/assessments`, {
      records: [{ ref: await api.create(`${repository}/accessions`, { id_0: 'rated', accession_date: '2020-01-01' }) }],
      surveyed_by: [{ ref: person }],
      survey_begin: '2020-01-01',
      ratings: [{ definition_id: ratings[0]?.id, value: '3' }],
    });
    await edit(uri);
    // There is an entry for each definition, as the record is read.
    const chosen = ratings.map((_, n) => page.locator(`#f-ratings-${n}-definition_id`));
    const labels = ratings.map(({ label }) => label);
    await chosen[0]?.locator('option', { hasText: 'Smell' }).waitFor({ state: 'attached' });
    expect(await chosen[0]?.locator('option').allTextContents()).toEqual(['– none –', ...labels]);
    expect(await Promise.all(chosen.map((each) => each.locator('option:checked').textContent()))).toEqual(labels);
    await page.locator(`#f-ratings-${labels.indexOf('Smell')}-value`).fill('5');
    await save();
    await page.locator('form.editor').waitFor({ state: 'detached' });
    const told = (await record(uri)).ratings.filter(({ value }: { readonly value?: string }) => value !== undefined);
    expect(told).toMatchObject([
      { label: labels[0], value: '3' },
      { label: 'Smell', value: '5' },
    ]);
  });

  it('goes on after a session that ended in the middle of it', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('ended', { title: 'Log' }));
    await edit(uri);
    await field('Title').fill('Logbook');
    const [cookie] = await page.context().cookies();
    await api.ask('/logout', { method: 'POST', session: cookie?.value ?? '' });
    await save();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await console.logIn();
    await heading('Logbook').waitFor();
    expect((await record(uri)).title).toBe('Logbook');
  });

  it('takes markup, scripts and other directions of writing as the texts they are', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('hostile', { title: hostile }));
    await edit(uri);
    expect(await field('Title').inputValue()).toBe(hostile);
    expect(await page.locator('main img, main script').count()).toBe(0);
    await field('Title').fill(`${hostile} ${arabic}`);
    await field('EAD ID').fill(arabic);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('#f-ead_id')).direction`)).toBe('rtl');
    await save();
    await page.waitForURL(/\/console\/record\//);
    expect(await record(uri)).toMatchObject({ title: `${hostile} ${arabic}`, ead_id: arabic });
    expect(console.watched.broken).toEqual([]);
  });

  it('is filled in by keys alone, on a phone and in German', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('keys', { title: 'Tasten' }));
    const german = await openConsole(browser, api, { viewport: { width: 380, height: 720 }, locale: 'de-DE' });
    await german.open(`/edit${uri}`);
    await german.logIn();
    const title = german.page.getByLabel('Titel', { exact: true });
    await title.focus();
    await german.page.keyboard.press('End');
    await german.page.keyboard.type('brett');
    expect(await german.page.evaluate('document.documentElement.scrollWidth')).toBe(380);
    expect(await german.faults()).toEqual([]);
    await german.picture('form-phone');
    await german.page.getByRole('button', { name: '+ Externe Dokumente' }).focus();
    await german.page.keyboard.press('Enter');
    await expect.poll(() => german.page.evaluate('document.activeElement.id')).toBe('f-external_documents-0-title');
    await german.page.keyboard.type('Karte');
    await german.page.keyboard.press('Tab');
    await german.page.keyboard.type('https://example.org/karte');
    await german.page.keyboard.press('Control+s');
    await german.page.getByRole('heading', { level: 1, name: 'Tastenbrett' }).waitFor();
    expect((await record(uri)).external_documents).toMatchObject([
      { title: 'Karte', location: 'https://example.org/karte' },
    ]);
    await german.page.close();
  });
});
