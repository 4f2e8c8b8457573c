// The contract's recorded exchanges against prepare: bodies that were sent, and records that were read and may be sent back.
// The recording lies outside the project; without it nothing is tested here.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { allKinds } from '#domain/kinds/index.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

type Exchange = {
  readonly release: string;
  readonly n: number;
  readonly name: string;
  readonly status: number;
  readonly body?: Json;
  readonly request: { readonly method: string; readonly path: string; readonly json?: Json };
};

const file = new URL('../../../../../shared/contract/examples.jsonl', import.meta.url);
const isThere = existsSync(file);
if (!isThere) console.warn('skipped: recorded exchanges (shared/contract/examples.jsonl is not beside the project)');
// Each line of the recording is one exchange of this shape.
const exchanges = isThere
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Exchange)
  : [];

const kinds = new Map(allKinds.map((kind) => [kind.name, kind]));
const byPath = new Map(allKinds.map((kind) => [kind.uri.replace('/:repo_id', '').replace('/:id', ''), kind]));

function errorOf(kind: Kind, body: JsonObject): Json | null {
  try {
    prepare(kind, body, testContext());
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.error;
    throw error;
  }
}

/** Exchanges that the store decides: uniqueness, missing targets; or that Muniment answers otherwise (text outside the basic plane, wrong kinds). */
const decidedElsewhere =
  /duplicate|bad name|bad subject ref|bad resource ref|parent in other resource|emoji|wrong name type/;

describe.skipIf(!isThere)('prepare and the recorded exchanges', () => {
  const sent = exchanges.flatMap((each) => {
    const kind = byPath.get(
      (each.request.path.split('?')[0] ?? '').replace(/^\/repositories\/\d+\//, '/repositories/').replace(/\/\d+$/, ''),
    );
    return each.request.method === 'POST' &&
      kind !== undefined &&
      isObject(each.request.json) &&
      !decidedElsewhere.test(each.name)
      ? [{ ...each, kind, sent: each.request.json }]
      : [];
  });

  it('answers the bodies that were sent as recorded', () => {
    expect(sent.length).toBeGreaterThan(60);
    for (const each of sent) {
      const recorded = each.status === 400 && isObject(each.body) ? each.body['error'] : null;
      expect([each.n, each.name, errorOf(each.kind, each.sent)]).toEqual([each.n, each.name, recorded]);
    }
  });

  it('accepts the records that were read', () => {
    const read = exchanges.flatMap(({ body, name }) =>
      isObject(body) && body['uri'] !== undefined && body['lock_version'] !== undefined
        ? [{ name, body, kind: kinds.get(textOf(body, 'jsonmodel_type') ?? '') }]
        : [],
    );
    const ours = read.filter((each) => each.kind !== undefined);
    expect(ours.length).toBeGreaterThan(30);
    for (const each of ours)
      expect([each.name, each.kind === undefined ? null : errorOf(each.kind, each.body)]).toEqual([each.name, null]);
  });
});
