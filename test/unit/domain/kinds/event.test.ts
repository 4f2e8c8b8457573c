// What is particular to events.
// Contract: behaviour-records.md, section 6.11.
import { expect, test } from 'vitest';
import { event } from '#domain/kinds/event.ts';
import { exampleOf, refusal, stored } from '#test/support/make/kind.ts';

const neither = 'Must specify either a date or a timestamp';
const both = "Can't specify both a date and a timestamp";

test.each([
  ['no time', { date: null }, { date: [neither], timestamp: [neither] }],
  ['two times', { timestamp: '2000-01-01T00:00:00Z' }, { date: [both], timestamp: [both] }],
  ['an unreadable time', { date: null, timestamp: 'xx' }, { timestamp: ['Must be an ISO8601-formatted string'] }],
  ['no linked agents', { linked_agents: [] }, { linked_agents: ['At least 1 item(s) is required'] }],
])('refuses %s', (_, changes, error) => {
  expect(refusal(event, exampleOf(event, changes))).toEqual(error);
});

test('keeps its time in UTC', () => {
  expect(
    stored(event, exampleOf(event, { date: null, timestamp: '2000-01-01T01:00:00+01:00' })).body['timestamp'],
  ).toBe('2000-01-01T00:00:00Z');
});

test('is labelled by its type', () => {
  expect(stored(event, exampleOf(event)).label).toBe('accession');
});
