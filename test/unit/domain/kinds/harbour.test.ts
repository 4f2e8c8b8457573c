// What becomes of a full record of each kind, from what a client sends to what is stored beside it: the body with defaults and generated values,
// its label, its links, its keys.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepare } from '#domain/checking/prepare.ts';
import { keysOf, splitBody } from '#domain/checking/split.ts';
import { allKinds } from '#domain/kinds/index.ts';
import { subrecords } from '#domain/subrecords/index.ts';
import { harbourKinds, harbourRecords, visitSubrecords } from '#test/support/harbour.ts';
import type { HarbourRecord } from '#test/support/harbour.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

function storedOf({ kind, uri, sent }: HarbourRecord) {
  const context = testContext();
  const prepared = prepare(kind, sent, context);
  const { text: _, links, place, ...rest } = splitBody(kind, prepared, context.generatedValues, null);
  const tree = { root: place?.root ?? null, parent: place?.parent ?? null };
  const keys = keysOf(kind, rest.body, 2, tree).map(({ rule, scope, value, property, says }) => [
    rule,
    scope,
    value,
    property,
    says,
  ]);
  return { uri, ...rest, links: links.map((link) => Object.values(link)), place, keys, warnings: prepared.warnings };
}

// What software has not, by a rule of its own.
const refused =
  'agent_record_controls agent_alternate_sets agent_conventions_declarations agent_other_agency_codes agent_maintenance_histories ' +
  'agent_record_identifiers agent_sources agent_resources';

it('has a record of each kind of which an outcome is kept, and of most', () => {
  const kept = readdirSync(join(import.meta.dirname, '../../../fixtures/stored')).map((file) =>
    file.replace('.json', ''),
  );
  expect(harbourKinds.map(({ name }) => name)).toEqual(kept.sort());
  expect(kept.length).toBeGreaterThan(25);
});

// The list of specific relators is empty in a new installation; columns of lists are many of one sort; sort names are mostly made, and so is what
// imports say of notes; restrictions are a part of notes.
const unsent =
  /\.(specific_relator|sort_name|ingest_problem|persistent_id)$|^defaults\.\w+_(column(_\d)?|direction)$|^rights_restriction\.|^name_software\.dates$/;

it('has something in every property of every sub-record that they may have', () => {
  const sent = new Set<string>();
  visitSubrecords(({ name: schema, properties }, value) => {
    for (const name of Object.keys(properties)) if (value[name] !== undefined) sent.add(`${schema}.${name}`);
  });
  const wanted = [...subrecords.values()].flatMap(({ name, properties }) =>
    Object.entries(properties).flatMap(([property, { readonly: isReadonly }]) =>
      isReadonly === true ? [] : [`${name}.${property}`],
    ),
  );
  expect(wanted.filter((place) => !sent.has(place) && !unsent.test(place))).toEqual([]);
});

it('leaves out of a label what a record does not say', () => {
  const labels = allKinds.map(({ name, label }): readonly [string, string] => [name, label({})]);
  expect(Object.fromEntries(labels.filter(([, text]) => text !== ''))).toEqual({
    assessment: 'Survey of ',
    container_profile: ' [d, h, w ] extent measured by ',
    location: ' []',
    preference: 'Preferences of everybody',
    repository: ' ()',
    top_container: ' ',
  });
});

describe.each(harbourKinds.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  const records = harbourRecords.filter((record) => record.kind === kind);

  it('has something in every property that clients send', () => {
    const sent = new Set(records.flatMap((record) => Object.keys(record.sent)));
    const wanted = Object.entries(kind.properties).flatMap(([property, { readonly: isReadonly }]) =>
      isReadonly === true ? [] : [property],
    );
    expect(wanted.filter((property) => !sent.has(property))).toEqual(
      name === 'agent_software' ? refused.split(' ') : [],
    );
  });

  it('is stored as it is kept', async () => {
    await expectKept(keptText(records.map(storedOf), 4), `stored/${name}.json`);
  });
});
