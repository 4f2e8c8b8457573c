// The configuration of every process: environment variables, their meaning and defaults, in one schema.
// Only apps/*/main.ts read process.env; docs/configuration.md is generated from here.
import { z } from 'zod';
import { isCron } from './cron.ts';
import { extentUnits } from './extents/shelf-extent.ts';
import { accountVariables } from './configuration/accounts.ts';
import { fileVariables } from './configuration/files.ts';
import { migrationVariables } from './configuration/migrations.ts';
import { observingVariables } from './configuration/observing.ts';
import { replicaVariables } from './configuration/replicas.ts';
import { retentionVariables } from './configuration/retention.ts';
import { flag, integer, isDatabaseUrl, isWebServer, listOf, plainName, wholeNumber } from './configuration/values.ts';
import { stemChoices } from './search/query/stemming.ts';

const isWebAddress = (text: string): boolean => text === '' || isWebServer(text);
// Blanks at the end, and the line end of a file from Windows, would stand in every uri that begins so.
const webAddress = () => {
  const fault = 'must begin with http:// or https://, such as https://archives.example.org';
  return z
    .string()
    .refine((text) => text === '' || text.trim() !== '', fault)
    .trim()
    .refine(isWebAddress, fault);
};

const database = () =>
  z.string().trim().refine(isDatabaseUrl, 'is no URL such as postgresql://user:password@host:5432/name');

const releasesByVersion = { 'R-A': 'R-A', 'R-B': 'R-B', '3.3': 'R-A', '4.1': 'R-B' } as const;

/** Every variable with its default and a sentence for the operator. */
export const ConfigSchema = z.object({
  PORT: integer(8089, 0, 65535).describe('Port of the HTTP interface; 0 takes any free one.'),
  HOST: plainName()
    .default('127.0.0.1')
    .describe('Address to listen on. Anything but loopback should stand behind a firewall or proxy.'),
  DATABASE_URL: database()
    .optional()
    .describe('PostgreSQL 16 or later. Absent: an embedded server under MUNIMENT_DATA_DIR.'),
  DATABASE_DIRECT_URL: database()
    .optional()
    .describe('The same database without a transaction pooler, for LISTEN and migrations. Default: DATABASE_URL.'),
  ...replicaVariables,
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least level that is logged.'),
  TYPESENSE_URL: z
    .string()
    .refine((text) => listOf(text).every(isWebServer), 'must be http or https addresses with commas between')
    .refine((text) => !text.includes('@'), 'must not hold a name or password')
    .transform(listOf)
    .optional()
    .describe(
      'Typesense server for search, such as http://search.internal:8108, or the nodes of its cluster with commas between. Absent: search runs on PostgreSQL. Set it for API and workers alike.',
    ),
  TYPESENSE_API_KEY: z
    .string()
    .optional()
    .describe('Key of that server, which may make and drop collections; needed with TYPESENSE_URL.'),
  TYPESENSE_COLLECTION: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]{0,60}$/, 'must be letters, digits, _ and -')
    .default('muniment')
    .describe(
      'Name of the alias for the search index on that server; its collections begin with it. Installations that share a server need different ones.',
    ),
  MUNIMENT_DATA_DIR: plainName()
    .default('data')
    .describe('Folder of the embedded database and of the generated administrator password.'),
  ...fileVariables,
  ...migrationVariables,
  ...accountVariables,
  MUNIMENT_PROTECT_CONTACTS: flag('true').describe(
    'Whether contact details of agents are shown only to holders of view_agent_contact_record, and kept when others save the agent. false: to everybody, as in the incumbent before 4.2.',
  ),
  MUNIMENT_UNKNOWN_PROPERTIES: z
    .enum(['silent', 'warn', 'refuse'])
    .default('silent')
    .describe('Whether unknown properties, and names in resolve[], are passed over, told or refused.'),
  MUNIMENT_SLUGS: z
    .enum(['off', 'title', 'identifier'])
    .default('off')
    .describe('Whether records get a slug for readable addresses, and from what; repositories always have one.'),
  MUNIMENT_ARKS: flag('false').describe('Whether resources and archival objects get an ARK when they are saved.'),
  MUNIMENT_ARK_NAAN: z
    .string()
    .regex(/^[0-9a-z]{1,32}$/i, 'must be up to 32 letters and digits')
    .default('f00001')
    .describe('Name assigning authority number of the ARKs of this installation.'),
  MUNIMENT_ARK_URL_PREFIX: webAddress()
    .default('')
    .describe(
      'Address put in front of the ARKs of this installation, such as https://archives.example.org; empty: none.',
    ),
  MUNIMENT_ARK_SHOULDER_DELIMITER: z
    .string()
    .max(32)
    // What the ARK specification has in names: blanks, ? and # would end the ARK where it is read as an address, and one with blanks is no own form.
    .regex(/^[0-9A-Za-z=~*+@_$./-]*$/, 'must be letters, digits and = ~ * + @ _ $ . / -')
    .default('')
    .describe(
      'What stands between the shoulder of a repository (ark_shoulder) and the number of an ARK: up to 32 letters, digits and = ~ * + @ _ $ . / -.',
    ),
  MUNIMENT_ARK_EXTERNAL: flag('true').describe('Whether external_ark_url of a record replaces its ARK.'),
  MUNIMENT_EXTENT_UNIT: z
    .enum(extentUnits)
    .optional()
    .describe(
      'Unit of the extent calculator where a request names none. Absent: the unit of the first container profile met.',
    ),
  // Six at most: JavaScript writes smaller numbers than a millionth with an exponent, which not every client reads.
  MUNIMENT_EXTENT_DECIMALS: integer(2, 0, 6).describe(
    'Decimals that the extent calculator rounds to, half away from zero.',
  ),
  MUNIMENT_EXTENT_VOLUME: flag('false').describe(
    'Whether the extent calculator reports width by height by depth, in cubes of the unit, rather than the side of the profile that counts.',
  ),
  ...retentionVariables,
  ...observingVariables,
  MUNIMENT_DISK_RESERVE_MB: integer(512, 0, 1_000_000_000).describe(
    'Megabytes of the disk of the embedded database, or of another on this machine, that imports, the indexing of imports and files that are moved back into the database leave free; 0: none. It is looked at between batches: with less than 256 a small disk may still fill.',
  ),
  MUNIMENT_SELF_REGISTRATION: flag('false').describe('Whether anybody may create a user, as in the incumbent.'),
  MUNIMENT_OAI_URL: webAddress()
    .default('')
    .describe(
      'Address under which harvesters reach /oai, such as https://archives.example.org/oai. Empty: the address of the request.',
    ),
  MUNIMENT_RELEASE: z
    .enum(['R-A', 'R-B', '3.3', '4.1'])
    .default('R-B')
    .transform((release) => releasesByVersion[release])
    .describe(
      'Which release of the interface replies follow where the two differ: R-A (of ArchivesSpace 3.3) or R-B (of 4.1); the versions say the same.',
    ),
  MUNIMENT_MAX_BODY_BYTES: integer(64 * 1024 * 1024, 1024, 2_147_483_647).describe(
    'Largest JSON body of an ordinary request, in bytes.',
  ),
  MUNIMENT_MAX_BODIES_BYTES: integer(268_435_456, 1024, 1_099_511_627_776).describe(
    'Bodies of requests that are held in memory at once, in bytes together; what comes above is answered 503 with Retry-After. Requests without a session may take a quarter of it. At least MUNIMENT_MAX_BODY_BYTES counts.',
  ),
  MUNIMENT_MAX_UPLOAD_BYTES: integer(2_147_483_647, 1024, 1_099_511_627_776).describe(
    'Largest upload or batch import, in bytes.',
  ),
  MUNIMENT_IMPORT_FAULTS: integer(1000, 1, 100_000).describe(
    'How many bad records the report of a refused import lists at most.',
  ),
  MUNIMENT_EAD_AGENTS: z
    .enum(['external', 'unless-internal'])
    .default('external')
    .describe(
      'Which agents that an import of EAD makes are published: external: those marked audience="external" alone, as in the incumbent; unless-internal: all but those marked internal.',
    ),
  MUNIMENT_CUSTOM_REPORTS: flag('false').describe(
    'Whether custom_report is among the reports: one that shows the fields a template (custom_report_template) names.',
  ),
  MUNIMENT_SEARCH_STEM: z
    .enum(stemChoices)
    .default('none')
    .describe(
      'Language, by its code of two letters, in whose forms the words of searches are found where a search does not say `stem`: with en, map finds maps. none: as they are written, as in the incumbent. Needs no reindexing.',
    ),
  MUNIMENT_SEARCH_LIMIT_MS: integer(900, 50, 60_000).describe(
    'How long the database works for a page of a search, in milliseconds. What takes longer is answered in part, with `warnings`, or with 503 search_stopped.',
  ),
  MUNIMENT_POOL_SIZE: integer(10, 2, 500).describe(
    'Database connections of a process; of a worker six more than MUNIMENT_WORKER_CONCURRENCY at least. A fifth of them, and one at least, is for reads alone.',
  ),
  MUNIMENT_ROWS_CHECKED: integer(2, 0, 1_000_000_000).describe(
    'How many rows of each database statement are checked to be what the service takes them for; 0: none. One that is not ends the request with 500, and is logged.',
  ),
  MUNIMENT_EXPORT_THREADS: wholeNumber(0, 64)
    .optional()
    .describe(
      'Threads of an API process that write finding aids of more than 2,000 components as EAD, each with two database connections; they end when nobody asked for a minute. Absent: one less than the machine has processors, 1 to 4. 0: they are written like small ones, between other requests.',
    ),
  MUNIMENT_WORKER_THREADS: integer(2, 1, 256).describe('Threads of a worker process for parsing and calculation.'),
  MUNIMENT_WORKER_CONCURRENCY: integer(4, 1, 256).describe(
    'Jobs that a worker process runs at once. It opens six connections more at least, whatever MUNIMENT_POOL_SIZE says: with fewer, jobs would wait for each other without an end.',
  ),
  MUNIMENT_WORKER_NICE: integer(5, 0, 19).describe(
    'How far a worker process stands back where other programs of its machine want the processors, the API and the database among them: 0, like any other, to 19.',
  ),
  MUNIMENT_DRAIN_SECONDS: integer(0, 0, 30).describe(
    'How long an API process that was told to end goes on serving while /health/ready is 503, so that proxies send their requests elsewhere; in the last second of it reads get 503. 0: it closes at once.',
  ),
  MUNIMENT_JOB_WAIT_SECONDS: integer(600, 1, 86_400).describe(
    'How long a request waits for the job it stands on before it answers 202.',
  ),
  MUNIMENT_LONG_POLL_SECONDS: integer(60, 0, 3600).describe(
    'How long GET /notifications and GET /update-feed wait for news before they answer with an empty list.',
  ),
  MUNIMENT_REINDEX_CRON: z
    .string()
    .refine(isCron, 'must be five cron fields of digits and * , / -: minute, hour, day, month, day of the week')
    .default('')
    .describe(
      'When the whole search index is made anew beside the running service, as five cron fields in UTC, such as 0 2 * * *; empty: never by itself.',
    ),
  MUNIMENT_WEBHOOK_ALLOW_PRIVATE: flag('false').describe(
    'Whether webhooks and logos of repositories may be at addresses of this machine and of private networks.',
  ),
  MUNIMENT_PUBLIC_URL: webAddress()
    .default('http://localhost:8081')
    .transform((url) => url.replace(/\/+$/, ''))
    .describe('Address of the public site, put in front of the uris of records in exports and for harvesters.'),
  MUNIMENT_SERVICE_URL: webAddress()
    .optional()
    .transform((url) => url?.replace(/\/+$/, ''))
    .describe(
      'Address under which clients reach this service, for identifiers in exports. Absent: http://localhost and the port.',
    ),
  MUNIMENT_VALIDATE_ROWS: flag('false').describe('Checks rows read from the database; for tests.'),
});

/** The configuration, checked. */
export type Config = z.output<typeof ConfigSchema>;

/** Variables that hold secrets: of each, NAME_FILE names a file to read it from instead (apps/service-config.ts). */
export const secretVariables: readonly (keyof Config)[] = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'TYPESENSE_API_KEY',
  'MUNIMENT_FILES_ACCESS_KEY_ID',
  'MUNIMENT_FILES_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'MUNIMENT_ADMIN_PASSWORD',
  'MUNIMENT_PUBLIC_USER_PASSWORD',
  'MUNIMENT_STAFF_USER_PASSWORD',
  'MUNIMENT_SEARCH_USER_PASSWORD',
];

// What the command line reads, and `npm start` of nobody else.
const ofClients: ReadonlySet<string> = new Set([
  'MUNIMENT_URL',
  'MUNIMENT_SESSION',
  'MUNIMENT_USER',
  'MUNIMENT_PASSWORD',
  'MUNIMENT_PROFILE',
  'MUNIMENT_SOURCE_PASSWORD',
]);

/** Variables that look like ours and are none, such as misspelled ones: they would be passed over in silence. */
export function unknownVariables(environment: { readonly [name: string]: string | undefined }): readonly string[] {
  const ofFiles: ReadonlySet<string> = new Set(secretVariables.map((name) => `${name}_FILE`));
  return Object.keys(environment)
    .filter((name) => name.startsWith('MUNIMENT_') && !Object.hasOwn(ConfigSchema.shape, name))
    .filter((name) => !ofClients.has(name) && !ofFiles.has(name))
    .toSorted();
}

// The second is of no use without the first.
const partners = [
  ['TYPESENSE_API_KEY', 'TYPESENSE_URL'],
  ['MUNIMENT_FILES_SECRET_ACCESS_KEY', 'MUNIMENT_FILES_ACCESS_KEY_ID'],
  ['MUNIMENT_FILES_ACCESS_KEY_ID', 'MUNIMENT_FILES_SECRET_ACCESS_KEY'],
] as const;

const missingPartners = (config: Config): readonly (readonly [string, string])[] =>
  partners.filter(([name, other]) => config[name] === undefined && config[other] !== undefined);

/** Reads the configuration from environment variables; empty ones count as absent. The error lists every fault at once. */
export function readConfig(environment: { readonly [name: string]: string | undefined }): Config {
  const known = Object.keys(ConfigSchema.shape);
  const given = Object.fromEntries(
    known.map((name) => [name, environment[name]]).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = ConfigSchema.safeParse(given);
  const missing = result.success ? missingPartners(result.data) : [];
  if (result.success && missing.length === 0) return result.data;
  const faults = result.success
    ? missing.map(([name, other]) => `  ${name}: is needed with ${other}`)
    : result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The configuration is wrong:\n${faults.join('\n')}`);
}
