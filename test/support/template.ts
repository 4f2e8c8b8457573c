// What every test database begins with. Runs once per test run, on the template that test files clone.
import { existsSync } from 'node:fs';
import { migrate } from '#store/migrate.ts';

/** Fills the empty database behind the URL; must leave no connection open, since a database in use cannot be cloned. */
export async function prepareTemplate(url: string): Promise<void> {
  const migrations = new URL('../../db/migrations', import.meta.url);
  if (existsSync(migrations)) await migrate(url, migrations);
}
