// Every recorded refusal of a bad body (test/contract/data/validation-messages.json) over HTTP, those that depend on stored
// records included. test/unit/domain/checking/validation-messages.test.ts runs the same cases without a database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { contractData, startTestApi } from '#test/support/api.ts';

type Body = { readonly [property: string]: unknown };
type Answer = { readonly status: number; readonly error?: unknown };
type Case = Answer & {
  readonly kind: string;
  readonly case: string;
  readonly set?: Body;
  readonly remove?: readonly string[];
  readonly 'R-A'?: Answer;
};
type Recorded = {
  readonly routes: { readonly [kind: string]: string };
  readonly base: { readonly [kind: string]: Body };
  readonly cases: readonly Case[];
};

// The file is a copy of the contract's and has this shape.
const recorded = contractData('validation-messages.json') as Recorded;

/** Cases about a value that another record has: what that record is made with. */
const taken: { readonly [name: string]: Body } = {
  'ead_id used twice': { id_0: 'E1', ead_id: 'ead1' },
  'ref_id used in the resource': { ref_id: 'abc' },
  'component_id used': { component_id: 'k' },
  'authority_id already used': {
    names: [
      {
        primary_name: 'AU1',
        name_order: 'direct',
        sort_name_auto_generate: true,
        authority_id: 'auth1',
        source: 'local',
      },
    ],
  },
  'barcode already used': { indicator: '8', barcode: 'bb' },
};

/** Points where Muniment answers otherwise, with the reason. */
const differs: { readonly [name: string]: Answer } = {
  // Both spellings are read by both releases, and answered in the words of the release (trees-and-jobs 4.1).
  'R-A: candidates empty': { status: 400, error: { victims: ['At least 1 item(s) is required'] } },
  // The reference lets storage fail (db_error); the contract's schemas mark these as required by storage.
  'contact telephone without number': {
    status: 400,
    error: { 'agent_contacts/0/telephones/0/number': ['Property is required but was missing'] },
  },
  'gender absent in agent_genders': {
    status: 400,
    error: { 'agent_genders/0/gender': ['Property is required but was missing'] },
  },
  // A 500 in the reference (behaviour-records 7.4).
  'note of an unknown kind': {
    status: 400,
    error: {
      'notes/0': [
        'Must be one of: JSONModel(:note_bibliography) object, JSONModel(:note_index) object, JSONModel(:note_multipart) object, JSONModel(:note_singlepart) object (you provided a JSONModel(:note_nope) object)',
      ],
    },
  },
};

describe.each(['R-B', 'R-A'] as const)(
  'a service of release %s refuses bad bodies in the recorded words',
  (release) => {
    let api: TestApi;
    let repoId = 0;
    const made = new Map<string, string>();
    let count = 0;

    beforeAll(async () => {
      api = await startTestApi({ worker: false, environment: { MUNIMENT_RELEASE: release } });
      repoId = await api.repository('CHK');
      for (const kind of Object.keys(recorded.routes))
        if (!['repository', 'job', 'enumeration', 'archival_record_children', 'merge_request'].includes(kind))
          await make(kind);
      await api.post('/config/enumerations', recorded.base['enumeration']);
    });
    afterAll(async () => api[Symbol.asyncDispose]());

    async function make(kind: string): Promise<string> {
      const known = made.get(kind);
      if (known !== undefined) return known;
      const reply = await api.post(route(kind), await written(recorded.base[kind]));
      if (reply.status !== 200) throw new Error(`${kind}: ${reply.text}`);
      made.set(kind, reply.json.uri);
      return reply.json.uri;
    }

    const route = (kind: string): string =>
      (recorded.routes[kind] ?? '')
        .replace(':repo_id', String(repoId))
        .replace(':id', made.get('resource')?.split('/').at(-1) ?? '1');

    /** A body with its abbreviations written out: '@kind' is a uri, 'x*300' a long text, '<n>' a number that no other case has. */
    async function written(value: unknown): Promise<unknown> {
      if (typeof value === 'string') {
        if (value.startsWith('@')) return make(value.slice(1));
        const repeated = /^(.)\*(\d+)$/.exec(value);
        return repeated === null
          ? value.replace('<n>', String((count += 1)))
          : (repeated[1] ?? '').repeat(Number(repeated[2]));
      }
      if (Array.isArray(value)) return Promise.all(value.map(written));
      if (typeof value !== 'object' || value === null) return value;
      const entries = await Promise.all(
        Object.entries(value).map(async ([key, item]) => [key, await written(item)] as const),
      );
      return Object.fromEntries(entries);
    }

    it.each(recorded.cases.map((each) => [`${each.kind}: ${each.case}`, each] as const))('%s', async (_, each) => {
      const recordedAnswer = release === 'R-A' ? (each['R-A'] ?? each) : each;
      const other = taken[each.case];
      if (other !== undefined)
        expect(
          (await api.post(route(each.kind), await written({ ...recorded.base[each.kind], ...other }))).status,
        ).toBe(200);
      const wanted =
        recordedAnswer.error === null
          ? each
          : (differs[`${release}: ${each.case}`] ?? differs[each.case] ?? recordedAnswer);
      const body = Object.fromEntries(
        Object.entries({ ...recorded.base[each.kind], ...each.set }).filter(
          ([property]) => each.remove?.includes(property) !== true,
        ),
      );
      const reply = await api.post(route(each.kind), await written(body));
      expect({ status: reply.status, error: reply.json?.error }).toEqual({
        status: wanted.status,
        error: wanted.status === 200 ? undefined : message(wanted.error),
      });
    });
  },
);

/** The recorded messages; '<…>' in them stands for text that the recording left out. */
function message(error: unknown): unknown {
  if (typeof error === 'string' || error === null) return error;
  return Object.fromEntries(
    Object.entries(error ?? {}).map(([path, messages]) => [
      path,
      (Array.isArray(messages) ? messages : []).map((text: string) => openText(text)),
    ]),
  );
}

function openText(text: string): unknown {
  const parts = text.split(/<[^>]+>/);
  return parts.length === 1
    ? text
    : expect.stringMatching(
        new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 's'),
      );
}
