// Every body that the document shows is accepted by a fresh service as it stands, in the order in which things depend on each other: first what
// makes records, then what changes them.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isObject, objectOf, textOf } from '#domain/json.ts';
import type { JsonObject } from '#domain/json.ts';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { copyOf, createDatabase } from '#test/support/database.ts';
import { distinctExample } from '#test/support/make/distinct.ts';
import { documentOf, operationsOf } from '#test/support/openapi-document.ts';
import type { Operation } from '#test/support/openapi-document.ts';
import { projectRoot } from '#test/support/service.ts';

const all = operationsOf(documentOf('R-B')).filter(({ operation }) => operation['requestBody'] !== undefined);
const nameOf = ({ operation }: Operation): string => String(operation['operationId']);
// Jobs make records of their own, whose numbers would be those that examples name.
const isCreate = (each: Operation): boolean => /^create(?!Job)/.test(nameOf(each)) && !each.path.includes('{id}');

const environment = {
  MUNIMENT_WEBHOOK_ALLOW_PRIVATE: 'true',
  MUNIMENT_MIGRATION_SOURCES: 'https://archives.example.org',
};
let api: TestApi;
/** Where all records are made once; each round has a copy of it. */
let made: TestDatabase;
const known = new Set<string>();
beforeAll(async () => {
  made = await createDatabase({ isSettled: true });
  api = await startTestApi({ environment, worker: 'jobs', url: made.url });
  try {
    await makeAll();
  } finally {
    await api[Symbol.asyncDispose]();
  }
});
afterAll(() => made.drop());

/** The parameters of an operation that its address needs, as the document shows them. */
function addressOf({ path, operation }: Operation): string {
  const parameters = (Array.isArray(operation['parameters']) ? operation['parameters'] : []).filter(isObject);
  const valueOf = (parameter: JsonObject): string => encodeURIComponent(String(parameter['example'] ?? 'x'));
  const filled = parameters
    .filter((parameter) => parameter['in'] === 'path')
    .reduce((address, parameter) => address.replace(`{${String(parameter['name'])}}`, valueOf(parameter)), path);
  const query = parameters
    .filter((parameter) => parameter['in'] === 'query' && parameter['required'] === true)
    .map((parameter) => `${String(parameter['name'])}=${valueOf(parameter)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** The headers that an operation needs, as the document shows them. */
function headersOf({ operation }: Operation): { readonly [name: string]: string } {
  const parameters = (Array.isArray(operation['parameters']) ? operation['parameters'] : []).filter(isObject);
  return Object.fromEntries(
    parameters
      .filter((parameter) => parameter['in'] === 'header' && parameter['required'] === true)
      .map((parameter) => [String(parameter['name']), String(parameter['example'])]),
  );
}

/** The example of an operation's body; of a form or a stream the file that its curl command sends. */
async function send(each: Operation): Promise<Reply> {
  const content = objectOf(objectOf(each.operation, 'requestBody'), 'content') ?? {};
  const [type = ''] = Object.keys(content);
  const example = objectOf(content, type)?.['example'];
  const source = JSON.stringify(each.operation['x-codeSamples']);
  const file = /(?:=@|-T ')([^'\\]+)'/.exec(source)?.[1];
  const ask = { method: each.method, headers: { 'content-type': type } };
  if (type === 'multipart/form-data') {
    const form = new FormData();
    for (const [, name = '', value = ''] of source.matchAll(/-F '(\w+)=(.*?)'(?: |\\\\|"|$)/g))
      form.set(name, JSON.parse(`"${value}"`));
    form.append('files[]', new Blob([readFileSync(`${projectRoot}${file ?? ''}`)]), 'harbour.xml');
    return api.ask(addressOf(each), { method: each.method, form });
  }
  if (file !== undefined) return api.ask(addressOf(each), { ...ask, body: readFileSync(`${projectRoot}${file}`) });
  if (type === 'application/x-www-form-urlencoded')
    return api.ask(addressOf(each), {
      method: each.method,
      headers: headersOf(each),
      form: new URLSearchParams(
        isObject(example)
          ? Object.fromEntries(Object.entries(example).map(([k, v]) => [k, String(v)]))
          : String(example),
      ),
    });
  return api.ask(addressOf(each), { ...ask, body: typeof example === 'string' ? example : JSON.stringify(example) });
}

/** The records that an operation names in its address or its body. */
function needsOf(each: Operation): readonly string[] {
  const text = `${addressOf(each)} ${JSON.stringify(each.operation['requestBody'] ?? {})}`;
  const named = [
    ...text.matchAll(
      /\/(?:repositories\/2|repositories|agents|subjects|locations|container_profiles|location_profiles)(?:\/\w+)*?\/\d+/g,
    ),
  ];
  const within = text.includes('/repositories/2/') ? ['/repositories/2'] : [];
  return [...new Set([...within, ...named.map(([uri]) => uri)])];
}

/** The first repository is the one whose address examples have; agents come last, since each makes an event. */
const turnOf = ({ path }: Operation): number => (path === '/repositories' ? 0 : path.startsWith('/agents') ? 2 : 1);

/** Runs what makes records, each once what it names is there; fails with the replies of what never could be. */
async function makeAll(): Promise<void> {
  let waiting = all.filter(isCreate).toSorted((a, b) => turnOf(a) - turnOf(b));
  let refused: string[] = [];
  do {
    const before = waiting.length;
    refused = [];
    const left: Operation[] = [];
    for (const each of waiting) {
      const missing = needsOf(each).filter(
        (uri) => !known.has(uri) && !/^\/agents\/people\/1$|^\/vocabularies/.test(uri),
      );
      if (missing.length > 0) {
        left.push(each);
        refused.push(`${nameOf(each)} needs ${missing.join(', ')}`);
        continue;
      }
      const reply = await send(each);
      if (reply.status !== 200) {
        left.push(each);
        refused.push(`${nameOf(each)}: ${reply.status} ${reply.text}`);
      } else if (isObject(reply.json)) known.add(textOf(reply.json, 'uri') ?? '');
    }
    if (left.length === before) break;
    waiting = left;
  } while (waiting.length > 0);
  expect(refused).toEqual([]);
}

/** A second record of each kind that merges name, like the first but for what must be unique. */
async function makeSecond(uri: string): Promise<void> {
  const address = parseUri(uri);
  if (address === null || (await api.get(uri)).status === 200) return;
  const kind = kindNamed(address.kind);
  const text = JSON.stringify(distinctExample(kind, 2)).replace(/"@(\w+)"/g, (_, name: string) =>
    JSON.stringify(kindNamed(name).uri.replace(':repo_id', '2').replace(':id', '1')),
  );
  await api.create(uri.replace(/\/\d+$/, ''), JSON.parse(text));
}

const changing = all.filter((each) => !isCreate(each));
/** What writes records of other addresses than its own: its round comes after that of the records. */
const isBulk = ({ path }: Operation): boolean => /with_agent|batch|bulk|merge_requests/.test(path);
const isUpdate = (each: Operation): boolean => each.method === 'POST' && /^(update|set|replace)/.test(nameOf(each));
const rounds: readonly (readonly [string, (each: Operation) => boolean])[] = [
  ['what replaces records', (each) => isUpdate(each) && !isBulk(each)],
  ['what replaces several records', (each) => isUpdate(each) && isBulk(each)],
  ['what patches records', (each) => each.method === 'PATCH'],
  ['what brings a version back', (each) => nameOf(each).startsWith('restore')],
  ['what is merged in detail', (each) => nameOf(each) === 'mergeAgentsInDetail'],
  [
    'what is left',
    (each) =>
      each.method === 'POST' &&
      !isUpdate(each) &&
      !/^(restore|mergeAgentsInDetail|changeOwnPassword)/.test(nameOf(each)),
  ],
  ['what ends the session', (each) => nameOf(each) === 'changeOwnPassword'],
];

it.each(rounds)('%s takes its example as it stands', async (_, isOfRound) => {
  await using copy = await copyOf(made);
  api = await startTestApi({ environment, worker: 'jobs', url: copy.url });
  await using _api = api;
  const refused: string[] = [];
  for (const each of changing.filter(isOfRound)) {
    for (const uri of needsOf(each)) await makeSecond(uri).catch(() => undefined);
    const reply = await send(each);
    // The first two refuse whatever they are asked, as the contract has it; the token of an invitation is another one each time.
    if (['sendPasswordReset', 'loginWithToken', 'acceptInvitation'].includes(nameOf(each))) continue;
    if (reply.status !== 200 && reply.status !== 202)
      refused.push(`${nameOf(each)} ${addressOf(each)}: ${reply.status} ${reply.text.slice(0, 300)}`);
  }
  expect(refused).toEqual([]);
});
