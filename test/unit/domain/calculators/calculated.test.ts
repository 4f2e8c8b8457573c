// What both calculators answer, and in which order their jobs run.
import { expect, test } from 'vitest';
import type { Calculated } from '#domain/calculators/calculated.ts';
import { calculationMailbox, datesReply, extentReply } from '#domain/calculators/calculated.ts';

const record: Calculated = {
  kind: 'archival_object',
  id: 7,
  repoId: 2,
  title: 'Letters',
  resource: { id: 3, title: 'Papers' },
  isPublic: true,
  seesSuppressed: false,
};
const object = { uri: '/repositories/2/archival_objects/7', jsonmodel_type: 'archival_object', title: 'Letters' };
const resource = { uri: '/repositories/2/resources/3', title: 'Papers' };

test('dates name the record with its id, its resource, and the label that was asked for', () => {
  const span = { min_begin_date: '1900-01-01', min_begin: '1900', max_end_date: null, max_end: null };
  expect(JSON.stringify(datesReply(record, 'creation', span))).toBe(
    JSON.stringify({ object: { ...object, id: 7 }, resource, label: 'creation', ...span }),
  );
});

test('an extent names the resource of an archival object alone, and the second in which it was added up', () => {
  const extent = {
    total_extent: 0,
    container_count: 0,
    container_without_profile_count: 0,
    units: null,
    volume: false,
    containers: {},
  };
  const at = new Date('2026-01-31T12:00:00.999Z');
  expect(extentReply(record, extent, at)).toEqual({
    object,
    resource,
    ...extent,
    timestamp: '2026-01-31T12:00:00+00:00',
  });
  const root = { ...record, kind: 'resource', id: 3, title: 'Papers' };
  expect(extentReply(root, extent, at)).toMatchObject({ object: { title: 'Papers' }, resource: null });
});

test('calculations of one person wait for each other, those of strangers too, and none for a tree', () => {
  const [one, other, stranger] = [{ actor: 'one' }, { actor: 'other' }, { actor: null }].map(calculationMailbox);
  expect(new Set([one, other, stranger]).size).toBe(3);
  expect(calculationMailbox({ actor: null })).toBe(stranger);
  expect([one, other, stranger].every((mailbox) => mailbox?.startsWith('calculate/'))).toBe(true);
});
