// The recorded answers of the contract to bad bodies (test/contract/data/validation-messages.json), against prepare alone.
// Cases that need other records or a route of their own are named here and run over HTTP elsewhere.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { allKinds } from '#domain/kinds/index.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

type Case = {
  readonly kind: string;
  readonly case: string;
  readonly set?: JsonObject;
  readonly remove?: readonly string[];
  readonly status: number;
  readonly error?: Json;
};
type Recorded = { readonly base: { readonly [kind: string]: JsonObject }; readonly cases: readonly Case[] };

// The file is a copy of the contract's and has this shape.
const recorded = JSON.parse(
  readFileSync(new URL('../../../contract/data/validation-messages.json', import.meta.url), 'utf8'),
) as Recorded;
const kinds = new Map(allKinds.map((kind) => [kind.name, kind]));
const kindsWithRoutesOfTheirOwn = new Set([
  'location_batch',
  'merge_request',
  'oai_config',
  'archival_record_children',
  'job',
  'custom_report_template',
  'rde_template',
  'enumeration',
  'assessment',
  'classification',
  'classification_term',
]);

/** Messages that only the store can give: it knows the other records. */
const storedAlready =
  /already in use|^Must be unique$|must be unique to its|must be unique within|not name unique|name not unique|Subject must be unique|Agent must be unique|Authority ID must be unique|does not exist|Group code must be unique|cannot be previous if Location/;

/** Points where Muniment answers otherwise, with the reason. */
const differs: { readonly [name: string]: Json } = {
  // The reference lets storage fail (db_error); the contract's schemas mark these as required by storage.
  'contact telephone without number': {
    'agent_contacts/0/telephones/0/number': ['Property is required but was missing'],
  },
  'gender absent in agent_genders': { 'agent_genders/0/gender': ['Property is required but was missing'] },
  // A 500 in the reference.
  'note of an unknown kind': {
    'notes/0': [
      'Must be one of: JSONModel(:note_bibliography) object, JSONModel(:note_index) object, JSONModel(:note_multipart) object, JSONModel(:note_singlepart) object (you provided a JSONModel(:note_nope) object)',
    ],
  },
};

/** Whether a case is decided by stored records or by generation, which prepare does not do. */
function needsStore(each: Case): boolean {
  if (differs[each.case] !== undefined) return false;
  if (typeof each.error === 'string') return true;
  const messages = isObject(each.error)
    ? Object.values(each.error).flatMap((list) => (Array.isArray(list) ? list : []))
    : [];
  return messages.some(
    (message) =>
      typeof message === 'string' && (storedAlready.test(message) || message.startsWith('Database integrity')),
  );
}

/** A body with its abbreviations written out: '@kind' is a uri, 'x*300' a long text, '<n>' a number. */
function written(value: Json | undefined): Json {
  if (typeof value === 'string') {
    const target = value.startsWith('@') ? kinds.get(value.slice(1)) : undefined;
    if (target !== undefined) return target.uri.replace(':repo_id', '2').replace(':id', '1');
    const repeated = /^(.)\*(\d+)$/.exec(value);
    return repeated === null ? value.replace('<n>', '1') : (repeated[1] ?? '').repeat(Number(repeated[2]));
  }
  if (Array.isArray(value)) return value.map(written);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, written(item)]));
  return value ?? null;
}

/** The recorded messages; '<…>' in them stands for text that the recording left out. */
function expected(error: Json): unknown {
  if (!isObject(error)) return error;
  return Object.fromEntries(
    Object.entries(error).map(([path, messages]) => [
      path,
      (Array.isArray(messages) ? messages : []).map((message: Json) => {
        const parts = String(message).split(/<[^>]+>/);
        return parts.length === 1
          ? message
          : expect.stringMatching(
              new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 's'),
            );
      }),
    ]),
  );
}

function answer(each: Case): Json | null {
  const kind = kinds.get(each.kind);
  if (kind === undefined) throw new Error(`no kind ${each.kind}`);
  const base = Object.fromEntries(
    Object.entries({ ...recorded.base[each.kind], ...each.set }).filter(
      ([property]) => each.remove?.includes(property) !== true,
    ),
  );
  const body = written(base);
  if (!isObject(body)) throw new Error('a body is an object');
  try {
    prepare(kind, body, testContext());
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.error;
  }
}

describe('prepare answers as recorded', () => {
  const cases = recorded.cases.filter((each) => !kindsWithRoutesOfTheirOwn.has(each.kind));

  it('knows every kind of the recording', () => {
    expect(cases.filter((each) => !kinds.has(each.kind))).toEqual([]);
  });

  it.each(cases.filter((each) => !needsStore(each)).map((each) => [`${each.kind}: ${each.case}`, each] as const))(
    '%s',
    (_, each) => {
      const wanted = differs[each.case] ?? (each.status === 200 ? null : each.error);
      expect(answer(each)).toEqual(wanted === null ? null : expected(wanted ?? null));
    },
  );

  it('accepts the bodies whose fault is in other records', () => {
    const late = cases.filter(needsStore);
    expect(late.length).toBeGreaterThan(15);
    expect(late.map((each) => [each.case, answer(each)]).filter(([, error]) => error !== null)).toEqual([]);
  });

  it.each(
    [...kinds.values()].filter((kind) => recorded.base[kind.name] !== undefined).map((kind) => [kind.name] as const),
  )('accepts the minimal %s', (name) => {
    expect(answer({ kind: name, case: 'base', status: 200 })).toBeNull();
  });
});
