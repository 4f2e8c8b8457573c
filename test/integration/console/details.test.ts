// What a record says to its end: details that stand within its parts, in a real browser.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import type { ConsolePage, ServedConsole } from '#test/support/console.ts';
import { browserForConsole, serveConsole } from '#test/support/console.ts';
import { personBody, resourceBody } from '#test/support/records.ts';

const path = browserForConsole();

describe.skipIf(path === null)('details of records', () => {
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

  const shown = async (uri: string): Promise<string> => {
    await console.go(`/record${uri}`);
    await page.locator('article.record .foot').waitFor();
    expect(await console.faults()).toEqual([]);
    return page.locator('article.record').innerText();
  };
  const saved = async (name: string): Promise<readonly [string, string]> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
  };
  const expectAll = (text: string, words: readonly string[]): void =>
    expect(words.filter((each) => !text.includes(each))).toEqual([]);

  it('are shown of an agent: how to reach it, and what its names rest on', async () => {
    const body: any = personBody('Wallis');
    const [name] = body.names;
    const single = { date_expression: 'about 1920', date_role: 'begin' };
    const use = { date_label: 'usage', date_type_structured: 'single', structured_date_single: single };
    const uri = await api.create('/agents/people', {
      ...body,
      names: [{ ...name, authority_id: 'gnd-77', rules: 'dacs', use_dates: [use] }],
      agent_contacts: [
        {
          name: 'Office',
          address_1: 'Quay 7',
          city: 'Hull',
          email: 'wallis@example.org',
          telephones: [{ number: '555-1234' }],
        },
      ],
      notes: [
        {
          jsonmodel_type: 'note_bioghist',
          publish: true,
          subnotes: [
            { jsonmodel_type: 'note_text', content: 'For all', publish: true },
            { jsonmodel_type: 'note_text', content: 'For nobody', publish: false },
            {
              jsonmodel_type: 'note_chronology',
              publish: true,
              items: [{ event_date: '1901', place: 'Grimsby', events: ['born', 'baptised'] }],
            },
            {
              jsonmodel_type: 'note_citation',
              publish: true,
              content: ['Lives'],
              xlink: { href: 'https://example.org/lives' },
            },
          ],
        },
      ],
    });
    const text = await shown(uri);
    expectAll(text, ['Quay 7', 'Hull', 'wallis@example.org', '555-1234', 'gnd-77', 'about 1920']);
    expectAll(text, ['1901: Grimsby; born; baptised', 'https://example.org/lives']);
    // That of the record, and that of the one part.
    expect(text.slice(text.indexOf('For all')).match(/not published/g)).toHaveLength(1);
  });

  it('are shown of what a record links to, of its dates and containers, and of restrictions', async () => {
    const person = await api.create('/agents/people', personBody('Okafor'));
    const location = await api.create('/locations', { building: 'Quay 3', barcode: 'Q3' });
    const place = { ref: location, status: 'current', start_date: '2020-01-02', note: 'Behind the door' };
    const box = await api.create(`${repository}/top_containers`, { indicator: '7', container_locations: [place] });
    expectAll(await shown(box), ['2020-01-02', 'Behind the door']);
    const restriction = { begin: '2010-01-01', end: '2033-02-02', local_access_restriction_type: ['ColdStorageBrbl'] };
    const uri = await api.create(
      `${repository}/resources`,
      resourceBody('all', {
        dates: [
          { label: 'creation', date_type: 'inclusive', begin: '1911', end: '1922', expression: 'Around the war' },
        ],
        linked_agents: [
          {
            ref: person,
            role: 'subject',
            title: 'Her works',
            terms: [{ term: 'Criticism', term_type: 'topical', vocabulary: '/vocabularies/1' }],
          },
        ],
        instances: [
          {
            instance_type: 'mixed_materials',
            sub_container: { top_container: { ref: box }, type_2: 'folder', indicator_2: '9', barcode_2: 'F-9' },
          },
        ],
        notes: [
          {
            jsonmodel_type: 'note_multipart',
            type: 'accessrestrict',
            rights_restriction: restriction,
            subnotes: [{ jsonmodel_type: 'note_text', content: 'Closed' }],
          },
          {
            jsonmodel_type: 'note_index',
            content: ['Names'],
            items: [
              { jsonmodel_type: 'note_index_item', value: 'Okafor', type: 'person', reference_text: 'see page 4' },
              { jsonmodel_type: 'note_index_item', value: 'Adeyemi', type: 'person', reference: 'ref_letters' },
            ],
          },
        ],
      }),
    );
    const text = await shown(uri);
    expectAll(text, ['Around the war 1911 – 1922, Creation', 'Criticism', 'Her works', 'Barcode: F-9']);
    expectAll(text, ['2010-01-01', '2033-02-02', 'Okafor; see page 4', 'Adeyemi; ref_letters']);
    expect(text).not.toContain('ColdStorageBrbl');
  });

  it('are shown of languages, extents and ranges of dates, of restrictions and addresses elsewhere', async () => {
    const note = {
      jsonmodel_type: 'note_langmaterial',
      type: 'langmaterial',
      content: ['Mostly the dialect of the coast'],
    };
    const part = { portion: 'part', number: '3', extent_type: 'photographic_prints' };
    const uri = await api.create(
      `${repository}/resources`,
      resourceBody('tongues', {
        lang_materials: [{ language_and_script: { language: 'eng' }, notes: [note] }],
        extents: [{ portion: 'whole', number: '9', extent_type: 'cubic_feet' }, part],
        external_ark_url: 'https://ark.example.org/ark:/1/2',
      }),
    );
    const text = await shown(uri);
    expectAll(text, ['English', 'Mostly the dialect of the coast', '9 Cubic Feet\n', '3 Photographic Prints (Part)']);
    expectAll(text, ['https://ark.example.org/ark:/1/2']);
    const gift = { id_0: 'gift', accession_date: '2020-01-01', restrictions_apply: true };
    expectAll(await shown(await api.create(`${repository}/accessions`, gift)), ['Restrictions apply\nYes']);
    const range = {
      begin_date_expression: 'Easter 1901',
      begin_date_standardized: '1901-04',
      end_date_expression: 'before the war',
    };
    const lived = { date_label: 'existence', date_type_structured: 'range', structured_date_range: range };
    const agent: object = personBody('Ranger');
    const person = await api.create('/agents/people', { ...agent, dates_of_existence: [lived] });
    expectAll(await shown(person), ['Easter 1901 – before the war 1901-04 – before the war']);
  });

  it('are shown whole where a title has what looks like a tag, in the title of the window too', async () => {
    const title = 'Plans <constructor> of <1800 and >1900';
    await shown(await api.create(`${repository}/resources`, resourceBody('tag', { title })));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    await expect.poll(() => page.title()).toBe(`${title} – Muniment`);
    expect(console.watched.broken).toEqual([]);
  });

  it('can be had as documents, with what is not published where that is asked for', async () => {
    const note = { jsonmodel_type: 'note_multipart', type: 'scopecontent' };
    const part = { jsonmodel_type: 'note_text', content: 'Not for everybody' };
    const uri = await api.create(
      `${repository}/resources`,
      resourceBody('saved', { publish: true, notes: [{ ...note, publish: false, subnotes: [part] }] }),
    );
    await console.go(`/record${uri}`);
    await page.locator('.export summary').click();
    expect(await console.faults(page.locator('.export'))).toEqual([]);
    const [name, plain] = await saved('EAD');
    expect(name).toMatch(/^saved_.*_ead\.xml$/);
    expect(plain).toContain('<ead ');
    expect(plain).not.toContain('Not for everybody');
    await page.getByLabel('With what is not published').check();
    expect((await saved('EAD3'))[1]).toContain('Not for everybody');
    expect((await saved('MARCXML'))[1]).toContain('Not for everybody');
    // One that takes longer than a request waits.
    const headers = { location: `${repository}/jobs/9` };
    await page.route(/\.pdf\?/, (route) => route.fulfill({ status: 202, headers }), { times: 1 });
    await page.getByRole('button', { name: 'PDF', exact: true }).click();
    await page.waitForURL(`**/console/job${repository}/jobs/9`);
  });

  it('can be had as documents of agents, as of the repository that is worked in', async () => {
    const uri = await api.create('/agents/people', personBody('Adeyemi'));
    await console.go(`/record${uri}`);
    await page.locator('.export summary').click();
    await page.getByLabel('With what is not published').check();
    expect((await saved('EAC-CPF'))[1]).toMatch(/<eac-cpf [^]*Adeyemi/);
    const [name, marc] = await saved('MARCXML');
    expect(name).toMatch(/_marc\.xml$/);
    expect(marc).toContain('Adeyemi');
  });

  it('can be had as documents once more where the connection was lost on the way', async () => {
    const uri = await api.create(`${repository}/resources`, resourceBody('cut'));
    const headers = 'HTTP/1.1 200 OK\r\ncontent-type: application/xml\r\ncontent-length: 1000\r\n\r\n';
    await using cut = createServer((socket) => socket.once('data', () => socket.end(`${headers}<ead`)));
    await once(cut.listen(0, '127.0.0.1'), 'listening');
    const { port } = cut.address() as AddressInfo;
    await page.route(
      /\/resource_descriptions\/\d+\.xml(\?|$)/,
      (route) => route.continue({ url: `http://127.0.0.1:${port}/` }),
      {
        times: 1,
      },
    );
    await console.go(`/record${uri}`);
    await page.locator('.export summary').click();
    const ead = page.getByRole('button', { name: 'EAD', exact: true });
    await ead.click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('The service does not answer.');
    const [file] = await Promise.all([page.waitForEvent('download'), ead.click()]);
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/<\/ead>\s*$/);
  });

  it('are printed to their end, without what is for the screen', async () => {
    const notes = Array.from({ length: 30 }, (_, n) => ({
      jsonmodel_type: 'note_singlepart',
      type: 'abstract',
      label: `Part ${n}`,
      content: ['Said at some length'],
    }));
    const uri = await api.create(`${repository}/resources`, resourceBody('printed', { notes }));
    await console.go(`/record${uri}`);
    await page.getByRole('button', { name: 'JSON' }).click();
    await page.locator('pre').waitFor();
    const cutOff = (): Promise<number> =>
      page.evaluate("(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('pre'))");
    expect(await cutOff()).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    expect(await cutOff()).toBe(0);
    expect(await page.locator('header, .buttons').filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: null });
  });

  it('are called in German as the form calls them', async () => {
    const uri = await api.create(
      `${repository}/resources`,
      resourceBody('deutsch', { external_documents: [{ title: 'Karte', location: 'https://example.org/karte' }] }),
    );
    await console.go(`/record${uri}`);
    await page.getByLabel('Language').selectOption('de');
    const properties = page.locator('dl.properties');
    await properties.getByText('Externe Dokumente', { exact: true }).waitFor();
    await properties.getByText('Titel', { exact: true }).waitFor();
  });
});
