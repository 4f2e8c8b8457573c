// The rules of sub-records that ask for one of several properties: what is said of each sub-record of a harbour board's records (test/support/harbour.ts)
// that has nothing but what it must have, and one property besides.
import { expect, it } from 'vitest';
import { prepareBody } from '#domain/checking/prepare.ts';
import { Failure } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Schema } from '#domain/schema/property.ts';
import { visitSubrecords } from '#test/support/harbour.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

/** The sub-records of all records by their schema; those of one schema put together, so that each property is there. */
const found = new Map<Schema, JsonObject>();

visitSubrecords((schema, value) => found.set(schema, { ...value, ...found.get(schema) }));

/** What is said of a body; nothing where it is accepted. */
function saidOf(schema: Schema, body: JsonObject): unknown {
  try {
    prepareBody(schema, { jsonmodel_type: schema.name, ...body }, testContext());
    return '';
  } catch (error) {
    if (error instanceof Failure) return error.error;
    throw error;
  }
}

it.each([false, true])('say what is kept of one property alone (of one that is left out: %s)', async (isLeftOut) => {
  const ruled = [...found].filter(([{ rules, lateRules }]) => rules !== undefined || lateRules !== undefined);
  const outcomes = ruled.map(([schema, whole]) => {
    const must = Object.keys(whole).filter((name) => schema.properties[name]?.required !== undefined);
    const optional = Object.keys(whole).filter((name) => name !== 'jsonmodel_type' && !must.includes(name));
    const only = (names: readonly string[]): JsonObject => Object.fromEntries(names.map((name) => [name, whole[name]]));
    const bodies = isLeftOut
      ? optional.map((name) => [name, only([...must, ...optional.filter((other) => other !== name)])] as const)
      : ['nothing', ...optional].map((name) => [name, only(name === 'nothing' ? must : [...must, name])] as const);
    return [schema.name, Object.fromEntries(bodies.map(([name, body]) => [name, saidOf(schema, body)]))];
  });
  await expectKept(keptText(Object.fromEntries(outcomes), 2), `sub-records/${isLeftOut ? 'left-out' : 'alone'}.json`);
});

it('take a range that ends when it begins, and none that ends before', () => {
  const range = [...found.keys()].find(({ name }) => name === 'structured_date_range') ?? expect.fail('no range');
  const of = (begin: string, end: string): unknown =>
    saidOf(range, {
      begin_date_standardized: begin,
      begin_date_standardized_type: 'standard',
      end_date_standardized: end,
      end_date_standardized_type: 'standard',
    });
  expect([of('1868', '1868'), of('1868-05', '1868-05-01'), of('05-1868', '1868-06')]).toEqual(['', '', '']);
  const before = { begin_date_standardized: ['requires that end dates are after begin dates'] };
  expect([of('1868', '1867'), of('1868-05-02', '1868-05-01'), of('05-1868', '04-1868')]).toEqual([
    before,
    before,
    before,
  ]);
});
