// Requests of harvesters at each rule of the protocol, and the sets that settings come to.
import { expect, it } from 'vitest';
import { parseIdentifier } from '#domain/oai/identifiers.ts';
import { parseOaiRequest } from '#domain/oai/request.ts';
import { setNamed, setsOf } from '#domain/oai/sets.ts';
import { formatToken, parseToken } from '#domain/oai/token.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const token = { prefix: 'oai_dc', set: null, after: 1, upTo: 9, cursor: 5, isBounded: false };
const requests = [
  '',
  'verb=',
  'verb=Odd',
  'verb=Identify&verb=Identify',
  'verb=constructor',
  'verb=Identify',
  'verb=Identify&set=a',
  'verb=Identify&identifier=x',
  'verb=ListSets',
  'verb=ListSets&resumptionToken=x',
  'verb=ListSets&set=a',
  'verb=ListMetadataFormats',
  'verb=ListMetadataFormats&identifier=x',
  'verb=ListMetadataFormats&metadataPrefix=x',
  'verb=GetRecord',
  'verb=GetRecord&identifier=x',
  'verb=GetRecord&identifier=x&metadataPrefix=',
  'verb=GetRecord&identifier=x&metadataPrefix=oai_dc',
  'verb=GetRecord&identifier=x&metadataPrefix=a&set=b',
  'verb=ListRecords',
  'verb=ListRecords&metadataPrefix=oai_dc',
  'verb=ListIdentifiers&metadataPrefix=oai_dc&set=series',
  'verb=ListRecords&metadataPrefix=oai_dc&set=',
  'verb=ListRecords&metadataPrefix=a&metadataPrefix=b',
  'verb=ListRecords&metadataPrefix=oai_dc&from=2024-02-29&until=2024-02-29',
  'verb=ListRecords&metadataPrefix=oai_dc&from=2024-02-29T10:11:12Z',
  'verb=ListRecords&metadataPrefix=oai_dc&until=2023-02-29',
  'verb=ListRecords&metadataPrefix=oai_dc&from=2024-03-01&until=2024-02-29',
  'verb=ListRecords&metadataPrefix=oai_dc&from=2024-02-29&until=2024-02-29T10:11:12Z',
  'verb=ListRecords&metadataPrefix=oai_dc&from=0000-01-01',
  'verb=ListRecords&metadataPrefix=oai_dc&from=2024-02-29T24:00:00Z',
  'verb=ListRecords&resumptionToken=x',
  `verb=ListRecords&resumptionToken=${formatToken(token)}`,
  `verb=ListIdentifiers&resumptionToken=${formatToken(token)}&set=a`,
];

it('takes requests for what is kept', async () => {
  const outcomes = requests.map((text) => [text, parseOaiRequest([...new URLSearchParams(text)])]);
  await expectKept(keptText(Object.fromEntries(outcomes), 2), 'oai/requests.json');
});

it('reads a token that it wrote, and no other', () => {
  const text = formatToken(token);
  expect(parseToken(text)).toEqual(token);
  expect(parseToken(formatToken({ ...token, set: 'series', isBounded: true }))).toEqual({
    ...token,
    set: 'series',
    isBounded: true,
  });
  for (const wrong of ['', text.slice(1), `${text}x`, `${text}.a`, text.split('.')[0] ?? '', 'a'.repeat(2001)])
    expect(parseToken(wrong)).toBeNull();
  for (const odd of [{ after: -1 }, { upTo: 1.5 }, { cursor: Number.NaN }])
    expect(parseToken(formatToken({ ...token, ...odd }))).toBeNull();
});

it('knows records by their identifiers', () => {
  const uri = '/repositories/2/resources/7';
  const found = { kind: 'resource', id: 7, repoId: 2 };
  const read = (identifier: string): unknown => parseIdentifier('oai:muniment', identifier);
  expect([`oai:muniment:${uri}`, `oai:muniment/${uri}`, `oai:archivesspace:${uri}`, uri].map(read)).toEqual([
    found,
    found,
    found,
    found,
  ]);
  expect(read('oai:muniment:/repositories/2/archival_objects/7')).toEqual({ ...found, kind: 'archival_object' });
  for (const other of [
    'oai:else:/repositories/2/resources/7',
    'oai:muniment:/repositories/2/accessions/7',
    '/subjects/7',
    '',
  ])
    expect(read(other)).toBeNull();
});

it('offers the sets that settings come to', () => {
  const config = {
    repo_set_codes: '["PEHB"]',
    repo_set_name: 'Häfen & Docks',
    repo_set_description: 'D',
    sponsor_set_names: '["Levy"]',
  };
  const sets = setsOf(config, ['series', 'file']);
  expect(sets).toEqual([
    { spec: 'H_fen___Docks', name: 'Häfen & Docks', description: 'D', codes: ['PEHB'] },
    { spec: 'sponsor_set', name: 'sponsor_set', description: '', sponsors: ['Levy'] },
    { spec: 'series', name: 'series', level: 'series' },
    { spec: 'file', name: 'file', level: 'file' },
  ]);
  expect(setNamed(sets, 'Häfen & Docks')).toBe(sets[0]);
  expect(setNamed(sets, 'H_fen___Docks')).toBe(sets[0]);
  expect(setNamed(sets, 'odd')).toBeUndefined();
  expect(
    setsOf({ repo_set_codes: '["PEHB"]', repo_set_name: 'series', sponsor_set_names: '[]' }, ['series']).map(
      ({ spec }) => spec,
    ),
  ).toEqual(['series']);
  expect(
    setsOf(
      { repo_set_codes: '["PEHB"]', sponsor_set_names: '["L"]', sponsor_set_name: '', sponsor_set_description: 'S' },
      [],
    ),
  ).toEqual([
    { spec: 'repository_set', name: 'repository_set', description: '', codes: ['PEHB'] },
    expect.objectContaining({ description: 'S', sponsors: ['L'] }),
  ]);
});
