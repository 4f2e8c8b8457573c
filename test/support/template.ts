// What every test database begins with. Runs once per test run, on the template that test files clone.
import { kinds } from '#domain/kinds/index.ts';
import { Database } from '#store/connection/database.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { prepareQueue } from '#store/set-up/queue.ts';
import { loadReference, readReferenceData } from '#store/set-up/reference.ts';
import { generatedValues } from '../../apps/generated-values.ts';

/** Fills the empty database behind the URL; must leave no connection open, since a database in use cannot be cloned. */
export async function prepareTemplate(url: string): Promise<void> {
  await migrate(url, new URL('../../db/migrations', import.meta.url));
  await prepareQueue(url);
  await using database = new Database({ url, poolSize: 2 });
  await database.transaction((tx) => ensureKinds(tx, kinds.values()));
  await database.transaction((tx) =>
    loadReference(tx, readReferenceData(new URL('../../db/reference/', import.meta.url)), generatedValues),
  );
}
