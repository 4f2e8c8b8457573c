// Bodies of search documents are compressed where they stand, also in an index that is made beside the live one.
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import { indexDocuments } from '#test/support/index-documents.ts';

const Body = z.strictObject({ text: column.int, stored: column.int, method: column.text.nullable() });
const Option = z.strictObject({ storage: column.text, options: column.texts });

it('are a fraction of their texts, and stand in the row', async () => {
  await using server = await createDatabase();
  await using database = new Database({ url: server.url, poolSize: 2 });
  const content = Array.from({ length: 300 }, (_, n) => `letter ${n} on harbours, ships and the weather`).join('; ');
  const record = {
    uri: '/repositories/2/resources/1',
    repository: { ref: '/repositories/2' },
    jsonmodel_type: 'resource',
    publish: false,
    title: 'Letters',
    notes: [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish: true, content: [content] }],
  };
  await indexDocuments(database, toSearchDocuments('resource', record), 1);
  const row = await database.reader.one(sql.type(Body)`
    SELECT octet_length(stored::text) AS text, pg_column_size(stored) AS stored, pg_column_compression(stored) AS method FROM search_body`);
  expect(row.method).not.toBeNull();
  expect(row.stored).toBeLessThan(row.text / 2);

  const optionsOf = (table: string) =>
    database.reader.one(sql.type(Option)`
      SELECT a.attstorage::text AS storage, ARRAY(SELECT o FROM unnest(c.reloptions) AS o WHERE o LIKE 'toast_tuple%') AS options
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'stored' WHERE c.oid = ${table}::regclass`);
  await database.transaction((tx) => tx.run(sql`SELECT search_build_begin(1, 1)`));
  expect(await optionsOf('beside.search_body')).toEqual(await optionsOf('search_body'));
});
