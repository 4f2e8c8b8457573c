// Properties that no schema has, where somebody wants to be told of them.
import { expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { Failure } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { UnknownProperties } from '#domain/checking/context.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const subject: JsonObject = {
  source: 'local',
  vocabulary: '/vocabularies/1',
  terms: [{ term: 'A', term_type: 'topical', vocabulary: '/vocabularies/1', shown: 1, other: 1 }],
  title: 'computed',
  uri: '/subjects/1',
  lock_version: 3,
  shown: 1,
  other: 1,
};
const isShown: UnknownProperties['isShown'] = (schema, property) => schema === 'term' && property === 'shown';
const prepared = (unknownProperties?: UnknownProperties): ReturnType<typeof prepare> =>
  prepare(kindNamed('subject'), subject, testContext(unknownProperties === undefined ? {} : { unknownProperties }));

test('they are told by their paths, and stored as little as otherwise', () => {
  const silent = prepared();
  expect(silent.warnings).toEqual({});
  const told = prepared({ refused: false, isShown });
  const left = ['Unknown property, left out'];
  expect(told.warnings).toEqual({ shown: left, other: left, 'terms/0/other': left });
  expect(told.body).toEqual(silent.body);
});

test('they are errors where they are refused', () => {
  const refusal = (): unknown => prepared({ refused: true, isShown });
  expect(refusal).toThrow(Failure);
  expect(refusal).toThrow(/"terms\/0\/other":\["Unknown property"\]/);
});

test('no more are told than of other faults, whatever a body holds', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`p${n}`, n]));
  const context = testContext({ unknownProperties: { refused: false, isShown } });
  const { warnings } = prepare(kindNamed('subject'), { ...subject, ...many }, context);
  expect(Object.keys(warnings).length).toBe(1000);
});
