// Properties of bodies of which nothing is known: what is of another type than is asked for is as good as absent.
import { expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsIn, objectsOf, textOf, textsOf } from '#domain/json.ts';

const values: JsonObject = {
  text: 'a',
  empty: '',
  number: 1,
  truth: false,
  nothing: null,
  object: { a: 1 },
  objects: [{ a: 1 }, { b: 2 }],
  texts: ['a', ''],
  mixed: ['a', 1, null, { a: 1 }, ['b'], true, 'c'],
  none: [],
};
const ask = (read: (body: JsonObject, property: string) => unknown): object =>
  Object.fromEntries(Object.keys({ ...values, absent: 1 }).map((name) => [name, read(values, name)]));

it('are read by the type that is asked for', () => {
  const but = (others: object, otherwise: unknown): object => ({ ...ask(() => otherwise), ...others });
  expect(ask((body, name) => isObject(body[name]))).toEqual(but({ object: true }, false));
  expect(ask(textOf)).toEqual(but({ text: 'a', empty: '' }, undefined));
  expect(ask(objectOf)).toEqual(but({ object: { a: 1 } }, undefined));
  expect(ask(textsOf)).toEqual(but({ texts: ['a', ''], mixed: ['a', 'c'] }, []));
  const objects = but({ objects: [{ a: 1 }, { b: 2 }], mixed: [{ a: 1 }] }, []);
  expect(ask(objectsOf)).toEqual(objects);
  expect(ask((body, name) => objectsIn(body[name]))).toEqual(objects);
});

it('are absent from what is absent itself', () => {
  expect([textOf(undefined, 'a'), objectOf(undefined, 'a')]).toEqual([undefined, undefined]);
  expect([textsOf(undefined, 'a'), objectsOf(undefined, 'a')]).toEqual([[], []]);
});

it('are given as they are where nothing is left out of a list', () => {
  expect(objectsOf(values, 'objects')).toBe(values['objects']);
});
