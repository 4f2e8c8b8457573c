// Replays what a running server of the contract answered (test/contract/data/examples.json), in the recorded order, against one
// service per release. The recording leaves out some exchanges; what they made is made by the table `unrecorded`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { contractData, startTestApi } from '#test/support/api.ts';
import { isLong } from '#test/support/long.ts';
import type { Difference, Exchange } from '#test/support/replay.ts';
import { Names, differences, firstRecordAt, line, send } from '#test/support/replay.ts';
import type { Deviation } from './deviations.ts';
import { covers, deviations } from './deviations.ts';

// The file is trimmed from the contract's examples.jsonl and has this shape.
const recorded = contractData('examples.json') as readonly Exchange[];

/** The exchanges of a release: those of R-B, replaced where R-A answered otherwise. */
function exchangesOf(release: 'R-A' | 'R-B'): readonly Exchange[] {
  const own = new Map(
    recorded.filter((exchange) => exchange.release === 'R-A').map((exchange) => [exchange.n, exchange]),
  );
  return recorded
    .filter((exchange) => exchange.release === 'R-B')
    .map((exchange) => (release === 'R-A' ? (own.get(exchange.n) ?? exchange) : exchange));
}

/** What the recording did without showing it, before the exchange `before`: a record made (without `body` as it is shown later), or a request. */
type Unrecorded =
  | { readonly before: number; readonly uri: string; readonly body?: Body }
  | {
      readonly before: number;
      readonly method: 'POST' | 'DELETE';
      readonly path: string;
      readonly json?: Body;
      readonly asIn?: number;
    };
type Body = { readonly [property: string]: unknown };

const person = {
  names: [
    {
      jsonmodel_type: 'name_person',
      primary_name: 'Cole@RUN@',
      name_order: 'inverted',
      source: 'local',
      sort_name_auto_generate: true,
    },
  ],
};
const resource = {
  id_0: 'RT@RUN@',
  title: 'A resource',
  level: 'collection',
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
  extents: [{ portion: 'whole', number: '3', extent_type: 'linear_feet' }],
  dates: [{ date_type: 'inclusive', label: 'creation', begin: '1900', end: '1950' }],
  lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
};

const unrecorded: readonly Unrecorded[] = [
  { before: 34, uri: '/repositories/3' },
  { before: 94, method: 'POST', path: '/agents/corporate_entities/5', asIn: 94 },
  { before: 100, uri: '/agents/people/6', body: person },
  { before: 106, uri: '/agents/families/1' },
  { before: 136, uri: '/container_profiles/1' },
  { before: 139, uri: '/repositories/2/top_containers/1' },
  { before: 172, uri: '/repositories/2/accessions/4' },
  { before: 172, uri: '/repositories/2/accessions/6' },
  { before: 176, uri: '/repositories/2/accessions/8' },
  { before: 178, uri: '/repositories/2/accessions/10' },
  { before: 205, method: 'POST', path: '/repositories/2/accessions/11/transfer?target_repo=/repositories/3' },
  {
    before: 208,
    uri: '/repositories/2/accessions/12',
    body: { id_0: 'TR@RUN@', title: 'An accession', accession_date: '2020-01-02' },
  },
  { before: 214, uri: '/repositories/2/resources/2', body: resource },
  { before: 220, uri: '/repositories/2/archival_objects/1' },
  { before: 223, uri: '/repositories/2/archival_objects/4' },
  {
    before: 232,
    uri: '/repositories/2/archival_objects/206',
    body: { title: 'x', level: 'file', resource: { ref: '/repositories/2/resources/1' }, ref_id: 'dup@RUN@' },
  },
  { before: 271, method: 'POST', path: '/repositories/2/archival_objects/1/parent?parent=3&position=0' },
  { before: 277, method: 'POST', path: '/repositories/2/archival_objects/1/publish' },
  { before: 310, uri: '/repositories/2/classification_terms/3' },
  { before: 340, method: 'DELETE', path: '/repositories/2/classifications/1' },
  {
    before: 343,
    method: 'POST',
    path: '/repositories/2/assessment_attribute_definitions',
    json: {
      definitions: [
        { label: 'My rating', type: 'rating' },
        { label: 'My format', type: 'format' },
      ],
    },
  },
  { before: 346, uri: '/repositories/2/assessments/1' },
  { before: 355, method: 'DELETE', path: '/repositories/2/assessments/1' },
  { before: 358, uri: '/repositories/2/accessions/13' },
  { before: 374, uri: '/repositories/2/resources/99', body: { ...resource, id_0: 'BI@RUN@' } },
  { before: 437, uri: '/repositories/2/digital_objects/2', body: { title: 'Another', digital_object_id: 'DO2@RUN@' } },
  { before: 499, method: 'DELETE', path: '/repositories/3' },
];

const collectionOf = (uri: string): string => uri.replace(/\/\d+$/, '');

class Replay {
  readonly names = new Names('q7');
  #user: string | null = null;
  #ended: string | null = null;
  readonly #api: TestApi;
  readonly #exchanges: readonly Exchange[];

  constructor(api: TestApi, exchanges: readonly Exchange[]) {
    this.#api = api;
    this.#exchanges = exchanges;
  }

  async play(exchange: Exchange): Promise<readonly Difference[]> {
    for (const missing of unrecorded.filter((each) => each.before === exchange.n)) await this.#do(missing);
    if (exchange.name === 'token after logout') await this.#endSession(exchange);
    const reply = await send(this.#api, exchange, this.names, this.#sessionFor(exchange));
    if (exchange.name === 'user login') this.#user = String(reply.json?.session);
    const body = exchange.body;
    if (
      typeof body === 'object' &&
      body !== null &&
      'status' in body &&
      body.status === 'Created' &&
      'uri' in body &&
      reply.status === 200
    )
      this.names.learn(String(body.uri), String(reply.json.uri));
    // What the recording refused and this service accepts must not show in what follows.
    if (exchange.status !== 200 && reply.json?.status === 'Created') await this.#api.del(String(reply.json.uri));
    return differences(exchange, reply, this.names);
  }

  async #do(missing: Unrecorded): Promise<void> {
    if ('uri' in missing) {
      const reply = await this.#api.post(
        this.names.text(collectionOf(missing.uri)),
        this.#shown(missing.uri, missing.body),
      );
      if (reply.status !== 200) throw new Error(`${missing.uri}: ${reply.status} ${reply.text}`);
      this.names.learn(missing.uri, String(reply.json.uri));
      return;
    }
    const reply = await this.#api.ask(this.names.path(missing.path), {
      method: missing.method,
      ...(missing.json === undefined ? {} : { json: missing.json }),
      ...(missing.asIn === undefined
        ? {}
        : { json: this.names.value(this.#exchanges.find((exchange) => exchange.n === missing.asIn)?.request.json) }),
    });
    if (reply.status !== 200) throw new Error(`${missing.path}: ${reply.status} ${reply.text}`);
  }

  #shown(uri: string, given?: Body): unknown {
    const body = given ?? firstRecordAt(this.#exchanges, uri);
    if (body === undefined) throw new Error(`nothing shows ${uri}`);
    const { position: _, ...sent } = body;
    return this.names.value(sent);
  }

  async #endSession(exchange: Exchange): Promise<void> {
    this.#ended = await this.#api.login('admin', 'admin');
    await this.#api.ask('/logout', { method: 'POST', session: this.#ended });
    const recordedToken = /[0-9a-f]{64}/.exec(JSON.stringify(exchange.body))?.[0] ?? '';
    this.names.learnWord(recordedToken, this.#ended);
  }

  #sessionFor(exchange: Exchange): string | null {
    if (exchange.request.session === 'none') return null;
    if (exchange.request.session === 'admin') return this.#api.session;
    if (exchange.name === 'token after logout') return this.#ended;
    if (exchange.name === 'unknown token on a public path') return 'not-a-token';
    if (exchange.name === 'unknown token at login') return '0'.repeat(64);
    return this.#user;
  }
}

describe.each(['R-B', 'R-A'] as const)('a service of release %s answers as recorded', (release) => {
  const exchanges = exchangesOf(release);
  const used = new Set<Deviation>();
  let api: TestApi;
  let replay: Replay;
  beforeAll(async () => {
    api = await startTestApi({
      worker: 'jobs',
      environment: { MUNIMENT_RELEASE: release, MUNIMENT_LONG_POLL_SECONDS: '1' },
    });
    replay = new Replay(api, exchanges);
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  // What R-A answers as R-B does is read of R-B; what writes, shown or not, is needed for what follows.
  const writes = (exchange: Exchange): boolean =>
    exchange.request.method !== 'GET' || unrecorded.some(({ before }) => before === exchange.n);
  const played = exchanges.filter(
    (exchange) => isLong || release === 'R-B' || exchange.release === release || writes(exchange),
  );

  it.each(played.map((exchange) => [`${exchange.n} ${exchange.name}`, exchange] as const))(
    '%s',
    async (_, exchange) => {
      const found = await replay.play(exchange);
      const unexplained = found.filter((difference) => {
        const deviation = deviations.find((each) => covers(each, difference, release));
        if (deviation !== undefined) used.add(deviation);
        return deviation === undefined;
      });
      if (unexplained.length > 0) expect.fail(unexplained.map(line).join('\n'));
    },
  );

  it('deviates nowhere that is not decided', () => {
    // Those of both releases may be of what is read of R-B alone.
    const decided = deviations.filter(
      (each) => each.release === release || (each.release === undefined && (isLong || release === 'R-B')),
    );
    const unneeded = decided.filter((each) => !used.has(each));
    expect(unneeded.map((each) => `${String(each.exchange)} ${each.at}`)).toEqual([]);
  });
});
