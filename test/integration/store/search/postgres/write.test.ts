// Documents written again, out of order and at the same time: the latest write of a record stays.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { indexDocuments, removeDocuments } from '#test/support/index-documents.ts';
import { resource } from '#test/support/make/record-replies.ts';
import { AnyRow } from '#test/support/rows.ts';
import { indexRecords, publicUser, staff } from '#test/support/searched-documents.ts';

const { database, idsOf } = await indexRecords();

describe('writing', () => {
  it('replaces what a record had, keeps a later write, and removes', async () => {
    const index = postgresSearch(database);
    const write = (fields: JsonObject, seq: number) =>
      indexDocuments(database, toSearchDocuments(...resource(90, { id_0: 'R90', ...fields })), seq);
    const withNote = { title: 'Quokka', notes: [{ publish: false, content: ['wombat'] }] };
    await write(withNote, 5);
    expect(await idsOf({ q: 'wombat' })).toEqual(['2/resources/90']);
    await write({ title: 'Quokka' }, 7);
    expect(await idsOf({ q: 'wombat' })).toEqual([]);
    expect(await idsOf({ q: 'quokka' }, publicUser)).toEqual(['2/resources/90']);
    await write({ title: 'Numbat' }, 6);
    expect(await idsOf({ q: 'quokka' })).toEqual(['2/resources/90']);
    await removeDocuments(database, ['/repositories/2/resources/90']);
    expect(await idsOf({ q: 'quokka' })).toEqual([]);
    expect(await index.read(['/repositories/2/resources/90'], staff)).toEqual([]);
  });

  it('leaves the latest of writes that come together, each waiting for the other', async () => {
    const write = (seq: number) =>
      indexDocuments(
        database,
        toSearchDocuments(
          ...resource(91, {
            id_0: 'R91',
            title: `Bettong ${seq}`,
            notes: seq % 2 === 0 ? [{ publish: false, content: ['hidden'] }] : [],
          }),
        ),
        seq,
      );
    await write(1);
    for (let seq = 2; seq < 32; seq += 3) {
      await Promise.all([seq + 1, seq, seq + 2].map(write));
      const rows = await database.reader.any(sql.type(z.strictObject({ seq: column.int, audience: column.int }))`
        SELECT seq, audience FROM search_doc JOIN search_body USING (no) WHERE record_id = 91 ORDER BY audience`);
      expect(rows).toEqual(
        seq % 2 === 0
          ? [
              { seq: seq + 2, audience: 1 },
              { seq: seq + 2, audience: 2 },
            ]
          : [{ seq: seq + 2, audience: 0 }],
      );
    }
    await removeDocuments(database, ['/repositories/2/resources/91']);
  });

  it('leaves the latest of writes of a record that is new to the index, too', async () => {
    for (let id = 200; id < 212; id++) {
      const write = (seq: number) =>
        indexDocuments(database, toSearchDocuments(...resource(id, { id_0: `R${id}`, title: `Potoroo ${seq}` })), seq);
      await Promise.all([2, 3, 1].map(write));
      const rows = await database.reader.any(sql.type(z.strictObject({ seq: column.int }))`
        SELECT seq FROM search_doc WHERE kind = 'resource' AND record_id = ${id}`);
      expect(rows).toEqual([{ seq: 3 }]);
      await removeDocuments(database, [`/repositories/2/resources/${id}`]);
    }
  });

  it('keeps the number of a document that is written anew', async () => {
    const numbers = () =>
      database.reader.any(sql.type(AnyRow)`
      SELECT no FROM search_doc WHERE kind = 'resource' AND record_id = 2`);
    const before = await numbers();
    await indexDocuments(
      database,
      toSearchDocuments(
        ...resource(2, {
          title: 'Harbor maps',
          id_0: 'MC.319',
          dates: [{ begin: '1940', date_type: 'single' }],
          create_time: '2020-05-06T00:00:00Z',
        }),
      ),
      2,
    );
    expect(await numbers()).toEqual(before);
  });

  it('reads documents in the order asked', async () => {
    const ids = ['/agents/people/1', '/repositories/2/resources/2'];
    const read = await postgresSearch(database).read(ids, staff);
    expect(read.map(({ id }) => id)).toEqual(ids);
  });
});
