// Two services that differ in every way that a comparison tells of: what it asks each of them for, and what it tells, as a whole.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { expectKept, keptText } from '#test/support/kept.ts';
import type { Holdings, Incumbent } from '../incumbent.ts';
import { smallHoldings, startIncumbent } from '../incumbent.ts';
import { filesForTests, runCli } from '../run-cli.ts';

const files = filesForTests();
const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const R = '/repositories/2';

/** A service of a release: all that the plan asks for, of which a few lists have records. */
function holdings(version: string): Holdings {
  const small = smallHoldings(version);
  const empty = [
    ...['/agents/families', '/agents/corporate_entities', '/agents/software', '/location_profiles', '/locations'],
    ...['/container_profiles', `${R}/top_containers`, `${R}/classifications`, `${R}/classification_terms`],
    ...[`${R}/digital_objects`, `${R}/digital_object_components`, `${R}/accessions`, `${R}/assessments`],
    ...[`${R}/custom_report_templates`],
  ];
  const node = (id: number, position: number, more: object = {}): object => ({
    ...{ jsonmodel_type: 'archival_object', uri: `${R}/archival_objects/${id}`, title: `Letter of the harbour ${id}` },
    ...{ resource: { ref: `${R}/resources/1` }, position, lock_version: 0, ...more },
  });
  return {
    version,
    lists: {
      ...small.lists,
      ...Object.fromEntries(empty.map((at) => [at, {}])),
      [`${R}/archival_objects`]: { 1: node(1, 0), 2: node(2, 1), 3: node(3, 2, { suppressed: true }), 10: node(10, 3) },
      [`${R}/resources`]: Object.fromEntries(
        [1, 4, 9].map((id) => [
          id,
          {
            jsonmodel_type: 'resource',
            uri: `${R}/resources/${id}`,
            title: `Papers of <emph>harbour</emph>, no. ${id}`,
          },
        ]),
      ),
      // Too short to be looked for; and a name that is shown otherwise than as a title.
      '/agents/people': {
        1: { jsonmodel_type: 'agent_person', uri: '/agents/people/1', title: 'Li' },
        2: { jsonmodel_type: 'agent_person', uri: '/agents/people/2', display_string: 'Åse Øst', title: 'another' },
      },
      '/repositories/1/events': { 8: { uri: '/repositories/1/events/8' } },
      [`${R}/events`]: { 2: { uri: `${R}/events/2` } },
    },
    replies: { ...small.replies },
  };
}

type Answers = { readonly [path: string]: string | { readonly status: number; readonly text: string } };

/** Answers what begins with one of these paths, the longest first. */
function answering(incumbent: Incumbent, answers: Answers): void {
  const paths = Object.keys(answers).toSorted((one, other) => other.length - one.length);
  incumbent.mischief = (request, response) => {
    const asked = decodeURIComponent((request.url ?? '').replaceAll('+', ' '));
    const path = paths.find((each) => asked.startsWith(each));
    if (path === undefined) return false;
    const answer = answers[path] ?? '';
    if (typeof answer === 'string') response.end(answer);
    else response.writeHead(answer.status).end(answer.text);
    return true;
  };
}

const found = (total: number, ...uris: readonly string[]): string =>
  JSON.stringify({ total_hits: total, results: uris.map((uri) => ({ uri })) });
const subjects = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `/subjects/${from + index}`);
const searchFor = (phrase: string, type: string, page = 1): string =>
  `/search?q="${phrase}"&type[]=${type}&page=${page}&`;
const eadOf = (id: number): string => `${R}/resource_descriptions/${id}.xml`;
const record = (prefix: string, uri: string, metadata: string): string =>
  `/oai?verb=GetRecord&metadataPrefix=${metadata}&identifier=${prefix}${R}/${uri}`;

it('asks both for the same, and tells every sort of difference', async () => {
  const [theirs, ours] = [holdings('ArchivesSpace (v3.3.1)'), holdings('Muniment (v4.1.1)')];
  const here = ours.lists;
  // What is missing, more, other, and in another order.
  here['/subjects'] = { ...here['/subjects'], 12: { uri: '/subjects/12' }, 6: { uri: '/subjects/6', title: 'Other' } };
  delete here['/subjects'][5];
  const nodes = here[`${R}/archival_objects`] ?? {};
  nodes[1] = { ...nodes[1], position: 1, lock_version: 7 };
  nodes[2] = { ...nodes[2], position: 0, is_primary: true };
  theirs.replies[`${R}/groups`] = [{ uri: `${R}/groups/10` }, { uri: `${R}/groups/9` }, { uri: `${R}/groups/10` }];
  for (const id of [9, 10]) theirs.replies[`${R}/groups/${id}`] = { uri: `${R}/groups/${id}` };
  ours.replies['/config/enumerations'] = [
    { uri: '/config/enumerations/1', name: 'archival_record_level', values: ['file', 'item'] },
    { uri: '/config/enumerations/2', name: 'of its own' },
  ];
  theirs.replies['/delete-feed'] = { last_page: 1, results: ['/subjects/7', '/subjects/8', `${R}/resources/4`] };
  ours.replies['/delete-feed'] = { last_page: 1, results: ['/subjects/7'] };
  // Two that cannot be read: one was deleted meanwhile, which the list tells.
  for (const id of [77, 78]) theirs.lists['/subjects'] = { ...theirs.lists['/subjects'], [id]: {} };
  const source = opened.use(await startIncumbent(theirs));
  const target = opened.use(await startIncumbent(ours));
  const ead = (title: string, more = ''): string =>
    `<ead><eadheader><profiledesc><creation>${title}</creation></profiledesc></eadheader><did><unittitle>${title}</unittitle></did>${more}</ead>`;
  answering(source, {
    [eadOf(1)]: ead('Papers'),
    [eadOf(4)]: { status: 404, text: 'none' },
    [eadOf(9)]: { status: 403, text: 'no' },
    '/oai?verb=Identify': `<sampleIdentifier>oai:theirs/${R}/resources/1</sampleIdentifier>`,
    [record('oai:theirs/', 'resources/1', 'oai_dc')]: '<dc><title>A</title></dc>',
    [record('oai:theirs/', 'resources/1', 'oai_marc')]: '<marc>',
    [record('oai:theirs/', '', '')]: { status: 404, text: '' },
    '/system/index-status': { status: 404, text: '{"error":"none"}' },
    [searchFor('Papers of harbour no 1', 'resource')]: found(1, '/a'),
    [searchFor('Papers of harbour no 9', 'resource')]: { status: 400, text: '{"error":"not understood"}' },
    [searchFor('Letter of the harbour 1', 'archival_object')]: found(500, ...subjects(0, 300)),
    [searchFor('Letter of the harbour 1', 'archival_object', 2)]: found(500, ...subjects(300, 500)),
    [searchFor('Letter of the harbour 2', 'archival_object')]: found(501, ...subjects(0, 100)),
    [searchFor('Letter of the harbour 10', 'archival_object')]: found(3, '/a', '/b'),
    [searchFor('Letter of the harbour 10', 'archival_object', 2)]: found(3),
    '/search?': found(0),
    '/subjects/78': { status: 404, text: '{"error":"Subject not found"}' },
    '/subjects/9': { status: 403, text: '{"error":"Access denied"}' },
    '/subjects?id_set': '[{"uri":"/subjects/5"},{"uri":"/subjects/6","title":"subject 6"}]',
  });
  const answers = source.mischief;
  source.mischief = (request, response, url) => {
    if (url.pathname === '/subjects/77') delete theirs.lists['/subjects']?.[77];
    return answers(request, response, url);
  };
  let asked = 0;
  answering(target, {
    [eadOf(1)]: ead('Drawings', '<more/>'),
    [eadOf(4)]: { status: 404, text: 'none' },
    [eadOf(9)]: ead('Papers'),
    [record('oai:archivesspace:', 'resources/1', 'oai_dc')]: '<dc><title>B</title></dc>',
    [record('oai:archivesspace:', 'resources/1', 'oai_marc')]: '<marc/>',
    [record('oai:archivesspace:', 'resources/9', 'oai_dc')]: '<dc/>',
    [record('oai:archivesspace:', '', '')]: { status: 404, text: '' },
    '/oai?verb=Identify': { status: 404, text: '' },
    [searchFor('Papers of harbour no 1', 'resource')]: found(1, '/b'),
    [searchFor('Letter of the harbour 1', 'archival_object')]: found(500, ...subjects(0, 500).toReversed()),
    [searchFor('Letter of the harbour 2', 'archival_object')]: found(501, ...subjects(100, 200)),
    [searchFor('Letter of the harbour 10', 'archival_object')]: found(2, '/a', '/b'),
    [searchFor('Åse Øst', 'agent_person')]: { status: 400, text: '{"error":"too short"}' },
    '/search?': found(0),
    '/agents/software?': { status: 403, text: '{"error":"Access denied"}' },
  });
  const answered = target.mischief;
  target.mischief = (request, response, url) => {
    if (url.pathname !== '/system/index-status') return answered(request, response, url);
    // Made behind the load: of each sort a few wait at first.
    response.end(JSON.stringify(asked++ === 0 ? { changes: 1, due: 20, due_bulk: 300, fans: 4000 } : { changes: 0 }));
    return true;
  };
  const [report, page] = [join(files.folder, 'report.ndjson'), join(files.folder, 'report.html')];
  const args = ['verify', '--against', `${source.url}/`, '--requests-at-once', '1', '--requests-a-second', '1000'];
  const env = { MUNIMENT_URL: target.url, MUNIMENT_PASSWORD: 'here', MUNIMENT_SOURCE_PASSWORD: 'there' };
  const { code, stdout } = await runCli([...args, '--report', report, '--html', page, '--sample', '3'], {
    env,
  });
  const asFound = (text: string): string => text.replaceAll(source.url, 'SOURCE').replaceAll(target.url, 'HERE');
  const sampled = ({ requests }: Incumbent): readonly string[] =>
    requests.filter((path) => /^\/(oai\?|search\?|delete-feed)|resource_descriptions|index-status|logout/.test(path));
  const outcome = {
    code,
    stdout: asFound(stdout).split('\n'),
    report: asFound(readFileSync(report, 'utf8')).split('\n'),
    html: asFound(readFileSync(page, 'utf8').replace(/<style>[^]*?<\/style>/, '')).split('\n'),
    asked: { source: sampled(source), here: sampled(target) },
  };
  expect(asked).toBe(2);
  await expectKept(keptText(lines(outcome), 3), 'migrate/verified.json');
});

/** Lists with a name for each item, which puts them on lines of their own. */
const lines = (value: unknown): unknown =>
  Array.isArray(value)
    ? Object.fromEntries(value.map((item: unknown, index) => [String(index), item]))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, lines(item)]))
      : value;
