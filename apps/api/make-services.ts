// Puts together what routes stand on: sessions, controlled lists, the checker of bodies, search; and keeps what is remembered fresh.
import type { Listener } from '#store/connection/listener.ts';
import type { Database } from '#store/connection/database.ts';
import { Replicas } from '#store/connection/replicas/replicas.ts';
import type { Config } from '#domain/config.ts';
import { cpus } from 'node:os';
import { parseUri } from '#domain/addresses.ts';
import { Failure } from '#domain/errors.ts';
import { kinds } from '#domain/kinds/index.ts';
import { requestSchemas } from '#domain/requests/registry.ts';
import { namingFrom } from '#domain/identifiers/naming.ts';
import { prepareBody } from '#domain/checking/prepare.ts';
import type { PrepareContext } from '#domain/checking/prepare.ts';
import { EnumerationCache, enumerationChannel } from '#store/enumerations/lists.ts';
import { accessChannel } from '#store/access/grants.ts';
import { PreferenceMemory, preferenceChannel, publishesByDefault } from '#store/settings/preferences.ts';
import { RepositoryIds } from '#store/repositories/repositories.ts';
import { openSearch } from '#store/search/open.ts';
import { Sessions } from '#store/access/sessions.ts';
import { readReferenceData } from '#store/set-up/reference.ts';
import { LoginLimit } from '#store/access/login-limit.ts';
import { Passwords } from '#store/access/passwords.ts';
import { generatedValues } from '../generated-values.ts';
import { diagnoseInstallation } from '../diagnosis.ts';
import { RecentLog } from '../recent-log.ts';
import { ExportThreads } from './exports/export-threads.ts';
import { RecentFigures } from './recent-figures.ts';
import type { UnknownHandling } from './request/unknown-names.ts';
import { isShown } from './request/unknown-names.ts';
import type { Logger, RecordChecker, Services } from './services.ts';

/** What startApi needs; the database is the caller's to close afterwards. */
export type ApiSettings = {
  readonly config: Config;
  readonly database: Database;
  readonly listener: Listener;
  /** The database without a transaction pooler; absent: `database` has none. */
  readonly directUrl?: string;
  readonly log: Logger;
  readonly recentLog?: RecentLog;
};

/** Services, and how to end what they keep running. */
export type MadeServices = Services & { close(): Promise<void> };

/** Makes the services of an API process. */
export async function makeServices(settings: ApiSettings): Promise<MadeServices> {
  const { config, database, listener, log } = settings;
  const enumerations = await EnumerationCache.load(database.reader);
  const repositories = new RepositoryIds(database.reader);
  const preferences = new PreferenceMemory(database.reader, () => performance.now());
  const replicas = openReplicas(database, config, log);
  const sessions = new Sessions(database, {
    idleSeconds: config.MUNIMENT_SESSION_TTL_SECONDS,
    lifetimeSeconds: config.MUNIMENT_SESSION_LIFETIME_SECONDS,
    longLifetimeSeconds: config.MUNIMENT_SESSION_LONG_LIFETIME_SECONDS,
    onError: (error) => log.warn({ event: 'session_write_failed', err: error }),
  });
  const unsubscribes = [
    await listener.subscribe(accessChannel, () => {
      sessions.forget();
      repositories.forget();
    }),
    await listener.subscribe(preferenceChannel, () => preferences.forget()),
    await listener.subscribe(enumerationChannel, () =>
      enumerations.catchUp((error) => log.warn({ event: 'lists_not_read', err: error })),
    ),
  ];
  // Of a change between the first reading and the subscription nobody tells.
  await enumerations.reload();
  const exportThreads = new ExportThreads(config);
  const recentFigures = new RecentFigures(database, (error) => log.warn({ event: 'figures_not_read', err: error }));
  return {
    config,
    database,
    listener,
    log,
    recentLog: settings.recentLog ?? new RecentLog(),
    recentFigures,
    diagnose: () => {
      const { url: pooledUrl } = database.settings;
      return diagnoseInstallation(config, { url: settings.directUrl ?? pooledUrl, pooledUrl }, process.env);
    },
    sessions,
    sessionStore: sessions,
    enumerations,
    preferences,
    generatedValues: { ...generatedValues, naming: namingFrom(config) },
    passwords: new Passwords(cpus().length),
    defaultGroups: readReferenceData(new URL('../../db/reference/', import.meta.url)).default_groups,
    repositories,
    loginLimit: new LoginLimit({
      pairPerMinute: config.MUNIMENT_LOGIN_RATE_LIMIT,
      userPerHour: config.MUNIMENT_LOGIN_USER_LIMIT,
      addressPerHour: config.MUNIMENT_LOGIN_ADDRESS_LIMIT,
    }),
    repositoryExists: (id) => repositories.has(id),
    checkRecord: recordChecker(enumerations, preferences),
    search: openSearch(database, config).search,
    exportThreads,
    replicas,
    onReplica: readsOf(replicas, config),
    isReady: () => database.isReachable(),
    close: async () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      enumerations[Symbol.dispose]();
      recentFigures[Symbol.dispose]();
      await exportThreads[Symbol.asyncDispose]();
      await replicas?.[Symbol.asyncDispose]();
      await sessions[Symbol.asyncDispose]();
    },
  };
}

/** The replicas that the configuration names; null where there are none. They are watched from now on. */
function openReplicas(database: Database, config: Config, log: Logger): Replicas | null {
  const { DATABASE_REPLICA_URL: urls, MUNIMENT_REPLICA_LAG_MS: lagMs, MUNIMENT_POOL_SIZE: poolSize } = config;
  if (urls === undefined) return null;
  return new Replicas(database, {
    urls,
    lagMs,
    poolSize,
    onChange: (replica, standing) => {
      if (standing === 'in_use') log.info({ event: 'replica_in_use', replica }, 'a replica answers reads');
      else log.warn({ event: 'replica_left_out', replica, standing }, 'a replica is left out');
    },
  });
}

/** What reads of a caller stand on where a replica answers them. Each replica has a search of its own, which remembers nothing: what it counted may be older than it seems. */
function readsOf(replicas: Replicas | null, config: Config): Services['onReplica'] {
  if (replicas === null) return async () => null;
  const searches = new Map(
    replicas.all.map((one) => [one, openSearch(replicas.lasting(one), config, { remembers: false }).search]),
  );
  return async (actor, freshness) => {
    const view = await replicas.viewFor(actor, freshness);
    const search = view === null ? undefined : searches.get(view.replica);
    return view === null || search === undefined ? null : { database: view.database, search };
  };
}

const toldUnknown = (handling: UnknownHandling | undefined): Pick<PrepareContext, 'unknownProperties'> =>
  handling === undefined || handling === 'silent'
    ? {}
    : { unknownProperties: { refused: handling === 'refuse', isShown } };

/**
 * Checks bodies of kinds. A value that a controlled list does not have is looked for once more in the lists as they are now: another
 * process may have added it a moment ago.
 */
function recordChecker(enumerations: EnumerationCache, preferences: PreferenceMemory): RecordChecker {
  return async (schema, body, about) => {
    const shape = kinds.get(schema)?.schema ?? requestSchemas.get(schema);
    if (shape === undefined) throw new Error(`no schema ${schema}`);
    const settings = await preferences.effective({ userId: about.userId ?? null, repoId: about.repoId });
    const own = { ...generatedValues, publishDefault: publishesByDefault(settings) };
    const check = (): ReturnType<typeof prepareBody> =>
      prepareBody(shape, body, {
        operation: about.operation,
        enumerations,
        generatedValues: own,
        parseUri,
        acceptTemporary: false,
        createEnumerationValues: false,
        ...toldUnknown(about.unknown),
      });
    const checked = (prepared: ReturnType<typeof prepareBody>): Awaited<ReturnType<RecordChecker>> => ({
      record: prepared.body,
      warnings: prepared.warnings,
      prepared,
      lockVersion: body['lock_version'],
    });
    try {
      return checked(check());
    } catch (error) {
      if (!(error instanceof Failure) || !error.message.includes('Invalid value ')) throw error;
      await enumerations.reload();
      return checked(check());
    }
  };
}
