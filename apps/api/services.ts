// What the HTTP layer stands on: configuration, database, log and the ports that other files of apps/api fill in at start.
// An open record: a file that brings a new member adds it here with a docstring. Handlers read it as call.services.
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#domain/config.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Database } from '#store/connection/database.ts';
import type { GeneratedValues } from '#domain/kind.ts';
import type { Freshness, Replicas } from '#store/connection/replicas/replicas.ts';
import type { EnumerationCache } from '#store/enumerations/lists.ts';
import type { Listener } from '#store/connection/listener.ts';
import type { ExportThreads } from './exports/export-threads.ts';
import type { Diagnosis } from '../diagnosis.ts';
import type { RecentLog } from '../recent-log.ts';
import type { RecentFigures } from './recent-figures.ts';
import type { LoginLimit } from '#store/access/login-limit.ts';
import type { Passwords } from '#store/access/passwords.ts';
import type { PreferenceMemory } from '#store/settings/preferences.ts';
import type { DefaultGroups, RepositoryIds } from '#store/repositories/repositories.ts';
import type { SearchPort } from '#store/search/port.ts';
import type { Sessions } from '#store/access/sessions.ts';

/** The log of a process or request: pino. Fields, not prose; never a body, a password or a token. */
export type Logger = FastifyBaseLogger;

/** The session of a request. `token` is what the client sent; stores hold a digest of it only. */
export type Session = { readonly token: string; readonly expirable: boolean };

/** What a token stands for; `digest` is what hold() takes. `gone` is an unknown token, `expired` one that was idle too long (contract 2.1). */
export type SessionState =
  | { readonly kind: 'ok'; readonly caller: Caller; readonly digest: string; readonly session: Session }
  | { readonly kind: 'gone' }
  | { readonly kind: 'expired' };

/** Finds who a session token belongs to, and marks it used. A session whose user is deleted gives `anonymous` with kind `ok`. */
type SessionReader = {
  read(token: string): Promise<SessionState>;
  /** Keeps a session, by the digest that read() gave, in use until the function that is given back is called. */
  hold(digest: string): () => void;
};

/** A body that passed the checks of its schema: cleaned, with defaults, and the warnings for the reply (path → messages). */
export type CheckedRecord = {
  readonly record: JsonObject;
  readonly warnings: { readonly [path: string]: readonly string[] };
  /** The record in the form that the store writes, with its links; made for stored kinds. */
  readonly prepared: Prepared;
  /** `lock_version` as sent, which the cleaning drops. */
  readonly lockVersion: Json | undefined;
  /** Whether a `position` in it is asked for, and not part of a record that was read. */
  readonly asksPlace?: boolean;
  /** What is stored beside the record (`kept: 'rows'`) and nobody asked for, since it was read with the record: it stays as it is by now. */
  readonly unasked?: ReadonlySet<string>;
};

/** Cleans and checks a body against the schema named as on the wire, with the publish default of the user; throws `invalid_record` (contract 1.4-1.6). */
export type RecordChecker = (
  schema: string,
  body: JsonObject,
  about: {
    readonly repoId: number | null;
    readonly userId?: number | null;
    readonly operation: 'create' | 'update';
    /** What becomes of properties that no schema has; absent: they are left out without a word. */
    readonly unknown?: Config['MUNIMENT_UNKNOWN_PROPERTIES'];
  },
) => Promise<CheckedRecord>;

/** Everything that routes and plug-ins may use. */
export type Services = {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  /** How this process and the installation were over the last hour. */
  readonly recentFigures: RecentFigures;
  /** What `muniment doctor` says. */
  readonly diagnose: () => Promise<Diagnosis>;
  /** The last lines of the log of this process. */
  readonly recentLog: RecentLog;
  /** Wakes requests that wait for a job or a change. */
  readonly listener: Listener;
  readonly sessions: SessionReader;
  /** Starting and ending sessions; the same object as `sessions` in a real process. */
  readonly sessionStore: Sessions;
  /** Whether a repository of this id exists, the hidden global one too; called for each request below a repository, so it must be cheap. */
  readonly repositoryExists: (id: number) => Promise<boolean>;
  readonly checkRecord: RecordChecker;
  /** Which repositories exist, remembered; `forget` after one is made or deleted. */
  readonly repositories: RepositoryIds;
  /** The limits on failed logins, shared by all processes. */
  readonly loginLimit: LoginLimit;
  /** The controlled lists; `reload` after a change made here. */
  readonly enumerations: EnumerationCache;
  /** Preferences in force, remembered; `forget` after one is changed here. */
  readonly preferences: PreferenceMemory;
  /** Values that writes generate. */
  readonly generatedValues: GeneratedValues;
  readonly passwords: Passwords;
  /** The groups of a new repository. */
  readonly defaultGroups: DefaultGroups;
  readonly search: SearchPort;
  /** The threads that write large exports. */
  readonly exportThreads: ExportThreads;
  /** The replicas of the database; null where there are none. */
  readonly replicas: Replicas | null;
  /** The members of services by which a replica answers reads of a caller, or null: these services are to do it. */
  readonly onReplica: (
    actor: string | null,
    freshness: Freshness,
  ) => Promise<Pick<Services, 'database' | 'search'> | null>;
  /** Whether requests can be served: the database answers. May fail; used by GET /health/ready. */
  readonly isReady: () => Promise<boolean>;
};
