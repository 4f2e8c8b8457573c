// What documents say at places that few have, by jobs over HTTP: it is in the records, comes back from their exports, or is told as left out.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '../../../support/api.ts';
import { startTestApi } from '../../../support/api.ts';
import type { EndedJob } from '../../../support/api-jobs.ts';
import { runJob } from '../../../support/api-jobs.ts';
import { marcField as field, marcRecord as marc } from '../../../support/marc-document.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const imported = async (import_type: string, content: string): Promise<EndedJob> => {
  const job = { jsonmodel_type: 'import_job', import_type, filenames: ['one.xml'] };
  const ended = await runJob(api, repoId, job, { file: { name: 'one.xml', content } });
  expect(ended.status, ended.log).toBe('completed');
  return ended;
};

test.each(['', '?eac2=true'])(
  'when links of an agent were last tried goes out as EAC-CPF%s and comes in again',
  async (version) => {
    const tried = { file_uri: 'https://example.org/a', last_verified_date: '2020-03-04T05:06:07Z' };
    const parts = {
      agent_sources: [{ jsonmodel_type: 'agent_sources', source_entry: 'A book', ...tried }],
      agent_alternate_sets: [{ jsonmodel_type: 'agent_alternate_set', set_component: 'Elsewhere', ...tried }],
      agent_conventions_declarations: [
        { jsonmodel_type: 'agent_conventions_declaration', citation: 'The rules', ...tried },
      ],
      agent_resources: [
        { jsonmodel_type: 'agent_resource', linked_agent_role: 'creator', linked_resource: 'Her papers', ...tried },
      ],
    };
    const surname = `Verified${version.length}`;
    const name = { jsonmodel_type: 'name_person', primary_name: surname, name_order: 'direct', source: 'local' };
    const uri = await api.create('/agents/people', {
      jsonmodel_type: 'agent_person',
      names: [{ ...name, sort_name_auto_generate: true }],
      publish: true,
      ...parts,
    });
    const path = `/repositories/${repoId}/archival_contexts/people/${uri.split('/').at(-1)}.xml${version}`;
    const { text } = await api.get(path);
    expect(text.match(/ lastDateTimeVerified="2020-03-04T05:06:07Z"/g)).toHaveLength(4);
    const { records } = await imported('eac_xml', text.replaceAll(surname, `${surname} again`));
    const agent = (await api.get(records.find((each) => each.startsWith('/agents/people/')) ?? '')).json;
    for (const [property, [part]] of Object.entries(parts)) expect(agent[property], property).toMatchObject([part]);
  },
);

test('several languages of an EAD3 finding aid are all in its note, or told', async () => {
  const declared = (code: string, note: string): string =>
    `<languagedeclaration><language langcode="${code}"/><script scriptcode="Latn"/><descriptivenote><p>${note}</p></descriptivenote></languagedeclaration>`;
  const ended = await imported(
    'ead_xml',
    `<ead xmlns="http://ead3.archivists.org/schema/"><control><recordid>l1</recordid><filedesc><titlestmt><titleproper>G</titleproper></titlestmt></filedesc>${declared('eng', 'Most of it is English')}${declared('fre', 'The notes are French')}</control><archdesc level="collection"><did><unitid>L1</unitid><unittitle>T</unittitle><unitdate>1900</unitdate></did></archdesc></ead>`,
  );
  const resource = (await api.get(ended.records.find((uri) => uri.includes('/resources/')) ?? '')).json;
  expect(resource).toMatchObject({
    finding_aid_language: 'eng',
    finding_aid_language_note: 'Most of it is English; The notes are French',
  });
  expect(ended.log).toMatch(/language: a finding aid has one language: fre/);
});

test('what stands beside the fuller form of a name in MARC authority records is told', async () => {
  const ended = await imported(
    'marcxml_auth_agent',
    marc(
      `${field('100', '1', ' ', { a: 'Doe, J.' })}${field('378', ' ', ' ', { q: 'Jane', u: 'https://example.org/who', v: 'Her diary' })}`,
      { leader: '00000nz  a2200000n  4500', number: 'f1', fixed: '850624n| azannaabn          |a aaa      ' },
    ),
  );
  expect((await api.get(ended.records[0] ?? '')).json.names).toMatchObject([{ fuller_form: 'Jane' }]);
  for (const told of ['u is not imported: https://example.org/who', 'v is not imported: Her diary'])
    expect(ended.log).toContain(`datafield 378: subfield ${told}`);
});

test('words of a physdesc with markup in them are one note, as they stand, and come back from both versions of EAD', async () => {
  const words =
    'About 5 <emph render="italic">fine</emph> books, see <extref xlink:href="https://example.org/l">a list</extref>';
  const document = (id: string, physdesc: string): string =>
    `<ead xmlns:xlink="http://www.w3.org/1999/xlink"><eadheader><eadid>${id}</eadid></eadheader><archdesc level="collection"><did><unitid>${id}</unitid><unittitle>T</unittitle><unitdate>1900</unitdate><physdesc><extent>1 volumes</extent></physdesc><physdesc>${physdesc}</physdesc></did></archdesc></ead>`;
  const notesOf = async ({ records }: EndedJob) => {
    const uri = records.find((each) => each.includes('/resources/')) ?? '';
    const { notes } = (await api.get(uri)).json;
    return { uri, contents: notes.map((note: { readonly content: unknown }) => note.content) };
  };
  // So it is beside an extent; an address that no words lead to is told.
  const link = '<extref xlink:href="https://example.org/l">a list</extref>';
  const beside = await imported('ead_xml', document('P2', `ca. <extent>5 boxes</extent>, see ${link}`));
  expect((await notesOf(beside)).contents).toEqual([[`ca. 5 boxes, see ${link}`]]);
  const alone = await imported('ead_xml', document('P3', `<extent>5 boxes</extent>${link}`));
  expect((await notesOf(alone)).contents).toEqual([['extref: a list']]);
  expect(alone.log).toMatch(/extref: address beside the parts of physdesc: https:\/\/example.org\/l/);
  const first = await notesOf(await imported('ead_xml', document('P1', words)));
  expect(first.contents).toEqual([[words]]);
  for (const [index, flags] of ['', '?ead3=true'].entries()) {
    const id = first.uri.split('/').at(-1);
    const { text } = await api.get(`/repositories/${repoId}/resource_descriptions/${id}.xml${flags}`);
    const again = await notesOf(await imported('ead_xml', text.replaceAll('P1', `P1-${index}`)));
    expect(JSON.stringify(again.contents)).toMatch(/^\[\["About 5 .*fine.* books, see .*a list.*"\]\]$/);
  }
});
