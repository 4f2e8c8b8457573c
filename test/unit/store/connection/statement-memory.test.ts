// Statements that are kept by their keys: each made once, up to a number of those that clients make.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { StatementMemory } from '#store/connection/statement-memory.ts';

const row = z.strictObject({});

test('a statement is made once for a key, and each has a name of its own, whatever its rows are', () => {
  const memory = new StatementMemory('read', 10);
  const [readings, places] = [memory.of(row), memory.of(row)];
  const first = readings('a b', false, () => 'SELECT 1');
  expect(readings('a b', false, () => 'SELECT 2')).toBe(first);
  expect([first, readings('a', true, () => 'SELECT 3'), places('a', true, () => 'SELECT 4')]).toEqual([
    { name: 'read_0', text: 'SELECT 1', parser: row },
    { name: 'read_1', text: 'SELECT 3', parser: row },
    { name: 'read_2', text: 'SELECT 4', parser: row },
  ]);
});

test('beyond so many, what clients make has no name and is not kept, and the others have and are', () => {
  const memory = new StatementMemory('read', 2);
  const readings = memory.of(row);
  const [known] = ['a b', 'a c'].map((key) => readings(key, false, () => key));
  expect(readings('a d', false, () => 'SELECT 1')).toEqual({ name: '', text: 'SELECT 1', parser: row });
  expect(readings('a d', false, () => 'SELECT 2').text).toBe('SELECT 2');
  expect(readings('a', true, () => 'SELECT 3').name).toBe('read_2');
  expect(readings('a', true, () => 'SELECT 4').text).toBe('SELECT 3');
  expect(readings('a b', false, () => 'SELECT 5')).toBe(known);
});
