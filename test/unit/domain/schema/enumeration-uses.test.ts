// Where a controlled list is used, as found in the declarations, and a value renamed in a body.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { kinds } from '#domain/kinds/index.ts';
import { renameValue, usesOf } from '#domain/schema/enumeration-uses.ts';

describe('usesOf', () => {
  it('finds properties at any depth, roles of refs and links that both sides write', () => {
    const relators = usesOf(kinds.values(), 'linked_agent_archival_record_relators');
    expect(relators.map((use) => use.kind.name)).toContain('resource');
    expect(relators.find((use) => use.kind.name === 'resource')).toMatchObject({
      properties: ['relator'],
      roles: expect.arrayContaining(['linked_agents']),
    });
    expect(
      usesOf(kinds.values(), 'agent_relationship_family_relator').find((use) => use.kind.name === 'agent_person'),
    ).toMatchObject({ relations: ['related_agents'] });
    expect(usesOf(kinds.values(), 'no_such_list')).toEqual([]);
  });

  it('tells properties that hold several values from those that hold one', () => {
    const restrictions = usesOf(kinds.values(), 'restriction_type');
    expect(restrictions.map((use) => use.kind.name)).toEqual(expect.arrayContaining(['resource', 'archival_object']));
    for (const use of restrictions)
      expect([use.properties, use.plurals]).toEqual([[], ['local_access_restriction_type']]);
  });

  it('finds every list that the reference data calls used by a kind that is declared', () => {
    const lists: readonly { readonly name: string; readonly used_by: readonly string[] }[] = JSON.parse(
      readFileSync(new URL('../../../../db/reference/enumerations.json', import.meta.url), 'utf8'),
    );
    const missed = lists.filter(
      (list) =>
        list.used_by.some((use) => kinds.has(use.split('.')[0] ?? '')) &&
        usesOf(kinds.values(), list.name).length === 0,
    );
    expect(missed.map((list) => list.name)).toEqual([]);
  });
});

describe('renameValue', () => {
  const resource = kindNamed('resource');
  const change = { list: 'date_label', from: 'creation', to: 'making' };

  it('changes the properties of the list alone', () => {
    const body = {
      title: 'creation',
      dates: [
        { jsonmodel_type: 'date', label: 'creation', date_type: 'creation' },
        { jsonmodel_type: 'date', label: 'copyright' },
      ],
    };
    expect(renameValue(resource, body, change)).toEqual({
      title: 'creation',
      dates: [
        { jsonmodel_type: 'date', label: 'making', date_type: 'creation' },
        { jsonmodel_type: 'date', label: 'copyright' },
      ],
    });
  });

  it('tells sub-records of one list apart by their type', () => {
    const note = (type: string) => ({ jsonmodel_type: type, type: 'abstract' });
    const body = { notes: [note('note_singlepart'), note('note_multipart')] };
    expect(renameValue(resource, body, { list: 'note_singlepart_type', from: 'abstract', to: 'summary' })).toEqual({
      notes: [{ jsonmodel_type: 'note_singlepart', type: 'summary' }, note('note_multipart')],
    });
  });

  it('changes values that stand in lists, where each stays once', () => {
    const note = (...local_access_restriction_type: string[]) => ({
      notes: [{ jsonmodel_type: 'note_multipart', rights_restriction: { local_access_restriction_type } }],
    });
    const closing = { list: 'restriction_type', from: 'Closed', to: 'Shut' };
    expect(renameValue(resource, note('Frail', 'Closed'), closing)).toEqual(note('Frail', 'Shut'));
    expect(renameValue(resource, note('Closed', 'Frail', 'Shut'), closing)).toEqual(note('Shut', 'Frail'));
    const untouched = note('Frail', 'Frail');
    expect(renameValue(resource, untouched, closing)).toBe(untouched);
  });

  it('gives the body itself where nothing changes', () => {
    const body = { dates: [{ jsonmodel_type: 'date', label: 'copyright' }], extents: [] };
    expect(renameValue(resource, body, change)).toBe(body);
  });
});
