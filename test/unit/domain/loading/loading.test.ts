// Lines of a folder of records on their way into rows: what they are, what is kept of them, and what is told of bad ones.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { indexLoadBlock } from '#domain/loading/index-block.ts';
import { lineOf, placeOfSetting } from '#domain/loading/lines.ts';
import { loadedRecord } from '#domain/loading/loaded-record.ts';
import { inOrderOf } from '#domain/loading/order.ts';
import { loadRows } from '#domain/loading/rows.ts';
import { referenceLists } from '#test/support/make/lists.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const bytesOf = (...records: readonly object[]): Uint8Array => Buffer.from(JSON.stringify(records));
const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8');
const accession = {
  jsonmodel_type: 'accession',
  uri: '/repositories/2/accessions/5',
  id_0: 'A',
  accession_date: '2001-01-01',
};

describe('a line', () => {
  it('is told apart by its type, its address, or that it was deleted', () => {
    expect(lineOf(accession, 0)).toMatchObject({ what: 'record', address: { kind: 'accession', id: 5, repoId: 2 } });
    expect(lineOf({ uri: '/subjects/1', at: '2001-01-01T00:00:00Z' }, 0)).toMatchObject({ what: 'deleted' });
    expect(lineOf({ uri: '/subjects/1', at: null }, 0)).toEqual({ what: 'deleted', uri: '/subjects/1', at: null });
    expect(lineOf({ uri: '/repositories/2/required_fields/accession' }, 0)).toEqual({
      what: 'setting',
      type: 'required_fields',
    });
    expect(lineOf({ jsonmodel_type: 'deaccession', uri: '/x/1' }, 0)).toEqual({ what: 'part', type: 'deaccession' });
    expect(() => lineOf({ ...accession, uri: '/subjects/1' }, 4)).toThrow(
      expect.objectContaining({ error: expect.objectContaining({ record_number: 5 }) }),
    );
  });

  it('of a setting says whose it is', () => {
    expect(placeOfSetting({ uri: '/repositories/3/default_values/accession/3_accession' })).toEqual({
      repoId: 3,
      recordType: 'accession',
    });
    expect(placeOfSetting({ repository: { ref: '/repositories/4' }, record_type: 'event' })).toEqual({
      repoId: 4,
      recordType: 'event',
    });
  });
});

describe('the first pass', () => {
  it('gives addresses, settings, parts and faults of a block, with the numbers of their lines', () => {
    const index = indexLoadBlock(
      bytesOf(
        accession,
        { jsonmodel_type: 'enumeration', uri: '/config/enumerations/1', name: 'e' },
        { jsonmodel_type: 'collection_management', uri: '/x' },
        { uri: '/repositories/2/accessions/4', at: '2001-01-01T00:00:00Z' },
        { jsonmodel_type: 'nothing', uri: '/nothing/1' },
      ),
      10,
      100,
    );
    expect(textOf(index.addresses)).toBe('accession\t5\t2\t10\t/repositories/2/accessions/5\t\\N\n');
    expect(textOf(index.deleted)).toBe('/repositories/2/accessions/4\taccession\t4\t2001-01-01T00:00:00Z\n');
    expect(index.settings).toMatchObject([{ type: 'enumeration', number: 11 }]);
    expect(index.parts).toEqual({ collection_management: 1 });
    expect(index.faults.faults).toMatchObject([{ record_number: 15, record_uri: '/nothing/1' }]);
  });
});

describe('a loaded record', () => {
  const load = (kind: string, record: JsonObject) =>
    loadedRecord(
      kindNamed(kind),
      parseUri(String(record['uri'])) ?? { kind, id: 0, repoId: null },
      { record, number: 0 },
      testContext({ createEnumerationValues: true }),
    );

  it('keeps version, names, times, flags and what the service alone writes', () => {
    const repository = load('repository', {
      jsonmodel_type: 'repository',
      uri: '/repositories/9',
      repo_code: 'NINE',
      name: 'Nine',
      slug: 'nine_1',
      is_slug_auto: true,
      position: 4,
      agent_representation: { ref: '/agents/corporate_entities/7' },
      publish: true,
      lock_version: 6,
      created_by: 'jane',
      create_time: '2001-02-03T04:05:06Z',
    });
    expect(repository).toMatchObject({
      id: 9,
      publish: true,
      body: { slug: 'nine_1', position: 4, agent_representation: { ref: '/agents/corporate_entities/7' } },
      audit: { lockVersion: 6, createdBy: 'jane', createTime: '2001-02-03T04:05:06Z', userMtime: null },
      links: [{ property: 'agent_representation', targetId: 7 }],
    });
  });

  it('leaves what is stored beside it out of the body', () => {
    const group = load('group', {
      jsonmodel_type: 'group',
      uri: '/repositories/2/groups/20',
      group_code: 'g',
      description: 'd',
      member_usernames: ['Jane '],
      grants_permissions: ['view_repository'],
    });
    expect(group.body).toEqual({ jsonmodel_type: 'group', group_code: 'g', description: 'd' });
  });

  it('names the property of a ref that is no address', () => {
    expect(() => load('accession', { ...accession, subjects: [{ ref: '/subjects/none' }] })).toThrow();
  });
});

describe('the order of properties', () => {
  it('is that of the record as read, and jsonmodel_type stays first where it is first', () => {
    const before = { b: 1, names: [] };
    const made = { jsonmodel_type: 'x', b: 1, names: [{ jsonmodel_type: 'n', p: 1, o: 2 }], a: 3 };
    const read = { a: 0, b: 0, names: [{ o: 0, jsonmodel_type: 'n', p: 0 }], jsonmodel_type: 'x' };
    expect(JSON.stringify(inOrderOf(read, made, before))).toBe(
      '{"jsonmodel_type":"x","a":3,"b":1,"names":[{"jsonmodel_type":"n","o":2,"p":1}]}',
    );
    expect(JSON.stringify(inOrderOf({ jsonmodel_type: 'y', a: 0 }, { a: 1, jsonmodel_type: 'y' }, {}))).toBe(
      '{"a":1,"jsonmodel_type":"y"}',
    );
  });
});

describe('the second pass', () => {
  it('makes rows of good records and faults of bad ones', () => {
    const rows = loadRows(
      bytesOf({ ...accession, lock_version: 2, suppressed: true }, { ...accession, accession_date: 'when?' }),
      0,
      { enumerations: referenceLists(), publishDefault: true, newHexId: () => 'f'.repeat(32) },
      '2002-01-01T00:00:00Z',
      100,
    );
    expect(rows.count).toBe(1);
    expect(textOf(rows.records['accession'])).toMatch(/^accession\t5\t2\t2\t[tf]\tt\t/);
    expect(textOf(rows.records['accession'])).toContain('\t2002-01-01T00:00:00Z\t');
    expect(textOf(rows.texts.key)).toContain('accession\t5\t0\tf\n');
    expect(rows.faults.faults).toMatchObject([{ record_number: 2, errors: { accession_date: expect.anything() } }]);
  });
});
