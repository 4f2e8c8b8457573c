// What is said of descriptions beside them: classifications, events and assessments, fact by fact over HTTP (contract
// behaviour-records.md 6.10, 6.11, 6.12).
import { describe, expect, it } from 'vitest';
import { idOf } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { records, read, attempt } = await serveRecords({ worker: 'jobs' });

describe('6.10 classifications', () => {
  it('tell the way from the root, and what is linked from either side', async () => {
    const classification = await records.make('classification', { title: 'Top', identifier: 'T' });
    const term = await records.make('classification_term', {
      title: 'Below',
      identifier: 'B',
      classification: { ref: classification },
    });
    expect((await read(term)).path_from_root).toMatchObject([
      { title: 'Top', identifier: 'T' },
      { title: 'Below', identifier: 'B' },
    ]);
    expect((await read(classification)).has_classification_terms).toBe(true);
    const accession = await records.make('accession', { classifications: [{ ref: classification }] });
    expect((await read(classification)).linked_records).toEqual([{ ref: accession }]);
    expect((await attempt('classification', { identifier: 'T' }))[0]).toBe(200);
  });
});

describe('6.11 events', () => {
  it('name an agent and a record, and one of date and timestamp', async () => {
    expect(await attempt('event', { linked_agents: [] })).toEqual([
      400,
      { linked_agents: ['At least 1 item(s) is required'] },
    ]);
    expect(await attempt('event', { linked_records: [] })).toEqual([
      400,
      { linked_records: ['At least 1 item(s) is required'] },
    ]);
    expect((await attempt('event', { timestamp: '2000-01-01T00:00:00Z' }))[1]).toEqual({
      date: ["Can't specify both a date and a timestamp"],
      timestamp: ["Can't specify both a date and a timestamp"],
    });
    expect((await attempt('event', { date: null }))[1]).toEqual({
      date: ['Must specify either a date or a timestamp'],
      timestamp: ['Must specify either a date or a timestamp'],
    });
  });

  it('may tell of records of every described kind, containers and agents', async () => {
    for (const kind of [
      'accession',
      'resource',
      'archival_object',
      'digital_object',
      'digital_object_component',
      'top_container',
      'agent_person',
    ])
      expect([
        kind,
        (await attempt('event', { linked_records: [{ ref: await records.make(kind), role: 'source' }] }))[0],
      ]).toEqual([kind, 200]);
  });
});

describe('6.12 assessments', () => {
  it('name records and surveyors, and the collections behind the records', async () => {
    const node = await records.make('archival_object');
    const uri = await records.make('assessment', { records: [{ ref: node }] });
    expect(await read(uri)).toMatchObject({
      display_string: String(idOf(uri)),
      collections: [{ ref: (await read(node)).resource.ref }],
    });
    for (const property of ['records', 'surveyed_by'])
      expect((await attempt('assessment', { [property]: [] }))[1]).toEqual({
        [property]: ['At least 1 item(s) is required'],
      });
  });
});
