// Statements that read records are planned once for each connection, and not for the ids of each list: planning takes longer than they do.
import pg from 'pg';
import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kinds } from '#domain/kinds/index.ts';
import type { Prepared } from '#store/connection/sql.ts';
import { bucketsOf, placesOf, readStatement, siblingsOf } from '#store/records/reading/statements.ts';
import { importInto } from '#test/support/batch.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
let client: pg.Client;
beforeAll(async () => {
  store = await openRecordStore();
  const { repoId, database } = store;
  const { uri } = await store.create('resource', resourceBody('T'));
  const at = (n: number): string => `/repositories/${repoId}/archival_objects/import_${n}`;
  // With a few records every plan is cheap: what is planned anew shows where there are lists and levels.
  const components = Array.from({ length: 12_000 }, (_, n) => ({
    jsonmodel_type: 'archival_object',
    uri: at(n),
    title: `File ${n}`,
    level: 'file',
    resource: { ref: uri },
    ...(n < 30 ? {} : { parent: { ref: at(n % 30) } }),
  }));
  await importInto(database, components, { repoId, blockBytes: 100_000, chunkBytes: 65_536 });
  client = new pg.Client(store.databaseUrl);
  await client.connect();
  await client.query('VACUUM (ANALYZE)');
});
afterAll(async () => {
  await client.end();
  await store[Symbol.asyncDispose]();
});

// PostgreSQL plans five times for the values before it may keep a plan.
const tries = 5;
const plansOf = z.object({ generic: z.coerce.number(), custom: z.coerce.number() });

/** How often a statement was planned for its values, and how often with the plan that is kept, after more executions, each with the ids of another block. */
async function plans({ name, text }: Prepared<unknown>): Promise<z.infer<typeof plansOf>> {
  const lists = Array.from({ length: tries + 3 }, (_, n) => Array.from({ length: 64 }, (_id, id) => 64 * n + id + 1));
  for (const ids of lists) await client.query({ name, text, values: [ids] });
  const { rows } = await client.query(
    'SELECT generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements WHERE name = $1',
    [name],
  );
  return plansOf.parse(rows[0]);
}

const viewers = [
  { seesSuppressed: true },
  { seesSuppressed: false },
  { seesSuppressed: true, seesUse: true },
  { seesSuppressed: false, seesPlain: true },
];

test.each([...kinds.values()])('$name', async (kind) => {
  const { tree } = kind;
  const statements = [
    ...viewers.flatMap((viewer) => [
      readStatement([kind], viewer),
      ...(tree === undefined
        ? []
        : [readStatement([kind], viewer, 'tree versions'), readStatement([kind], viewer, 'apart')]),
    ]),
    ...(tree === undefined ? [] : [placesOf(kind), siblingsOf(kind, tree.code), bucketsOf(kind, tree.code)]),
  ];
  for (const statement of new Set(statements))
    if (statement !== null) expect(await plans(statement), statement.text).toEqual({ custom: tries, generic: 3 });
});
