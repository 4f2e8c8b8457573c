// What is said of the full records of a harbour board (test/support/harbour.ts) where one of their values is left out or is another one: of each
// property of a kind, and of each property of a sub-record in the first place where it stands.
import { expect, it } from 'vitest';
import { prepare } from '#domain/checking/prepare.ts';
import { Failure } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { HarbourRecord } from '#test/support/harbour.ts';
import { harbourKinds, harbourRecords } from '#test/support/harbour.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

type Path = readonly (string | number)[];

/** Every place of a value, those of lists and objects before those in them. */
function placesIn(value: Json | undefined, path: Path = []): readonly Path[] {
  const inside = Array.isArray(value)
    ? value.flatMap((item: Json, at) => placesIn(item, [...path, at]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, item]) => placesIn(item, [...path, name]))
      : [];
  return path.length === 0 ? inside : [path, ...inside];
}

const seen = new Set<string>();

/** Whether nothing was tried yet at a place like it: of the kind by its name, of a sub-record by the two last names. */
function isNew(kind: string, path: Path): boolean {
  const names = path.filter((step) => typeof step === 'string');
  const key =
    names.length < 2 ? `${kind} ${names.join()} ${path.length}` : `${names.slice(-2).join('.')} ${typeof path.at(-1)}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

const tried = harbourRecords
  .filter(({ kind }, at) => harbourRecords.findIndex((other) => other.kind === kind) === at)
  .map((record) => ({ record, places: placesIn(record.sent).filter((path) => isNew(record.kind.name, path)) }));

/** The value with another at a place; undefined takes out what is there. */
function changedAt(value: Json | undefined, [step, ...rest]: Path, other: Json | undefined): Json | undefined {
  if (step === undefined) return other;
  if (Array.isArray(value))
    return value.flatMap((item: Json, at) => (at === step ? (changedAt(item, rest, other) ?? []) : [item]));
  return isObject(value) ? { ...value, [step]: changedAt(value[step], rest, other) } : value;
}

/** What is said of a record, messages cut where they list the values of a controlled list; undefined where it is accepted without a word. */
function saidOf({ kind, sent }: HarbourRecord, path: Path, other: Json | undefined): unknown {
  const body = changedAt(sent, path, other);
  try {
    const { warnings } = prepare(kind, isObject(body) ? body : {}, testContext());
    return Object.keys(warnings).length === 0 ? undefined : { warnings };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return JSON.parse(JSON.stringify(error.error), (_, text: unknown) =>
      typeof text === 'string' && text.length > 110 ? `${text.slice(0, 110)}…` : text,
    );
  }
}

/** What is said by place; where nothing is said, the place is not there. */
function outcomesOf(
  record: HarbourRecord,
  places: readonly Path[],
  otherOf: (value: Json | undefined) => Json | undefined,
): object {
  const said = places.flatMap((path) => {
    const words = saidOf(record, path, otherOf(valueAt(record.sent, path)));
    return words === undefined ? [] : [[path.join('/'), words] as const];
  });
  return Object.fromEntries(said);
}

function valueAt(value: Json | undefined, [step, ...rest]: Path): Json | undefined {
  if (step === undefined) return value;
  if (Array.isArray(value))
    return valueAt(
      value.find((_, at) => at === step),
      rest,
    );
  return isObject(value) ? valueAt(value[step], rest) : undefined;
}

it('has a record of each kind to try', () => {
  expect(tried.map(({ record }) => record.kind)).toEqual(harbourKinds);
});

it.each(tried.map((each) => [each.record.kind.name, each] as const))(
  'says of %s what is kept, value for value',
  async (name, { record, places }) => {
    const outcomes = {
      leftOut: outcomesOf(record, places, () => undefined),
      otherwise: outcomesOf(record, places, (value) => (typeof value === 'boolean' ? 'perhaps' : 'Odd')),
      // Longer than every text may be, but for those of 65,000 characters.
      long: outcomesOf(record, places, (value) => (typeof value === 'string' ? 'x'.repeat(16_385) : value)),
    };
    await expectKept(keptText(outcomes, 2), `refused/${name}.json`);
  },
);
