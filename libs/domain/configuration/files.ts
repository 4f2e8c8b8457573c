// The variables that say where files are kept: in the database, or in an S3-compatible storage.
import { z } from 'zod';
import { integer } from './values.ts';

/** An S3-compatible storage as MUNIMENT_FILES_URL names it. `prefix` stands before every key: empty, or with a slash at its end. */
export type FileStorageAddress = {
  /** For people, and for what the database notes: s3://bucket/prefix, without what only tells how it is reached. */
  readonly name: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  /** Absent: that of AWS for the region. */
  readonly endpoint?: string;
  /** Whether the bucket stands in the path of addresses, not before the host. */
  readonly pathStyle: boolean;
};

const parameters: ReadonlySet<string> = new Set(['endpoint', 'region', 'path-style']);
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPattern = /^(?:[A-Za-z0-9._-]+\/)*[A-Za-z0-9._-]*$/;

/** What is wrong with the address of a storage; null where nothing is. */
function faultOf(text: string): string | null {
  if (!text.startsWith('s3://') || !URL.canParse(text))
    return 'must be an address such as s3://bucket/prefix?endpoint=https://storage.example.org&region=eu-central-1';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '')
    return 'must hold no name, password, port or fragment';
  if (!bucketPattern.test(url.hostname)) return `names no bucket: ${url.hostname}`;
  if (!prefixPattern.test(url.pathname.slice(1)))
    return 'has a prefix of other characters than letters, digits, . _ - /';
  const names = [...url.searchParams.keys()];
  const unknown = names.find((name, index) => !parameters.has(name) || names.indexOf(name) !== index);
  if (unknown !== undefined)
    return `has an unknown or repeated parameter ${unknown}: endpoint, region and path-style are known`;
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !isEndpoint(endpoint)) return 'endpoint must be an http or https address without a path';
  if (!/^[a-z0-9-]{1,40}$/.test(url.searchParams.get('region') ?? 'us-east-1'))
    return 'region must be a name such as eu-central-1';
  if (!['true', 'false', null].includes(url.searchParams.get('path-style'))) return 'path-style must be true or false';
  return null;
}

const isEndpoint = (text: string): boolean =>
  /^https?:\/\//i.test(text) &&
  URL.canParse(text) &&
  new URL(text).href === `${new URL(text).origin}/` &&
  !text.includes('@');

function readAddress(text: string): FileStorageAddress {
  const { hostname: bucket, pathname, searchParams } = new URL(text);
  const path = pathname.replace(/^\/|\/$/g, '');
  const endpoint = searchParams.get('endpoint');
  const pathStyle = searchParams.get('path-style');
  return {
    name: `s3://${bucket}${path === '' ? '' : `/${path}`}`,
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    region: searchParams.get('region') ?? 'us-east-1',
    ...(endpoint === null ? {} : { endpoint }),
    // Servers of one's own seldom have a name for each bucket.
    pathStyle: pathStyle === null ? endpoint !== null : pathStyle === 'true',
  };
}

/** The variables by name; config.ts has them among the others. */
export const fileVariables = {
  MUNIMENT_FILES_URL: z
    .string()
    .superRefine((text, context) => {
      const fault = faultOf(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    })
    .transform(readAddress)
    .optional()
    .describe(
      'S3-compatible storage for files (uploads, files of jobs): s3://bucket/prefix, with `region`, `endpoint` (of a server that is not AWS) and `path-style` (true or false; true where there is an endpoint) as parameters, such as s3://archive/muniment?endpoint=https://storage.example.org&region=eu-central-1. Absent: files are rows of the database. Set it for API and workers alike.',
    ),
  MUNIMENT_FILES_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe(
      'Name of the key by which that storage is asked. Absent: what the client of AWS finds by itself, such as the role of the machine.',
    ),
  MUNIMENT_FILES_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .describe('The secret of that key; needed with MUNIMENT_FILES_ACCESS_KEY_ID.'),
  MUNIMENT_FILES_NEW: z
    .enum(['storage', 'database'])
    .default('storage')
    .describe(
      'Where new files go while MUNIMENT_FILES_URL is set: into that storage, or into the database, for the time in which files are moved back there.',
    ),
  MUNIMENT_FILES_KEEP_DAYS: integer(7, 0, 36_500).describe(
    'How long the object of a file that was removed stays in that storage, in days, so that a backup of the database that is as old still finds it; 0: it goes with the file.',
  ),
} as const;
