// A database of its own for each test file, cloned from the template of the run (63 ms) and dropped afterwards.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { settledOf } from './template-names.ts';

/** A database for tests. `drop` cuts off whoever is still connected; `await using` drops it at the end of the block. */
export type TestDatabase = {
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A database with the schema and reference data of the project. `isSettled`: these are in index and feeds already, as after the first worker. */
export async function createDatabase({ isSettled = false } = {}): Promise<TestDatabase> {
  const template = inject('templateName');
  // file_copy takes half the time of the default wal_log (63 ms against 113 ms).
  return create(`TEMPLATE ${isSettled ? settledOf(template) : template} STRATEGY file_copy`);
}

/** Such a database with a connection of the driver, for what the store has no way to say: plans, settings, statements of migrations. */
export async function connectToOwn(): Promise<TestDatabase & { readonly client: pg.Client }> {
  const own = await createDatabase();
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  const drop = async (): Promise<void> => {
    await client.end();
    await own.drop();
  };
  return { ...own, client, drop, [Symbol.asyncDispose]: drop };
}

/** A database as another one is, to which nobody is connected. */
export const copyOf = ({ name }: TestDatabase): Promise<TestDatabase> => create(`TEMPLATE ${name} STRATEGY file_copy`);

/** An empty database, for tests of migrations. */
export async function withoutTemplate(): Promise<TestDatabase> {
  return create('TEMPLATE template0 STRATEGY file_copy');
}

/** An empty database of a user of its own, who may nothing else: what an operator is given on a server of others. */
export async function ofRestrictedUser(): Promise<TestDatabase> {
  const database = await withoutTemplate();
  const role = `${database.name}_owner`;
  await onCluster(`CREATE ROLE ${role} LOGIN PASSWORD '${role}' NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION`);
  await onCluster(`ALTER DATABASE ${database.name} OWNER TO ${role}`);
  const url = new URL(database.url);
  url.username = role;
  url.password = role;
  const drop = async (): Promise<void> => {
    await database.drop();
    await onCluster(`DROP ROLE ${role}`);
  };
  return { url: url.href, name: database.name, drop, [Symbol.asyncDispose]: drop };
}

async function create(origin: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onCluster(`CREATE DATABASE ${name} ${origin}`);
  const url = new URL(inject('clusterUrl'));
  url.pathname = `/${name}`;
  const drop = (): Promise<void> => onCluster(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: url.href, name, drop, [Symbol.asyncDispose]: drop };
}

// One for all files that run one after another in this process: what makes a database and drops it costs the server less than connecting for it does.
let connections: pg.Pool | undefined;

/** Runs one statement in the cluster's own database. What is idle meanwhile keeps no process from its end. */
async function onCluster(text: string): Promise<void> {
  if (connections === undefined) {
    connections = new pg.Pool({
      connectionString: inject('clusterUrl'),
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    });
    // One that the server has ended is replaced by the next statement.
    connections.on('error', () => undefined);
  }
  await connections.query(text);
}
