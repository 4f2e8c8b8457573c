// Resumption tokens: all that the next page needs, with a version and a checksum, so that no server remembers anything and they live as
// long as the data (docs/decisions/0012). Not secret: whoever makes one himself gets what he may have anyway.
import { createHash } from 'node:crypto';
import { isObject } from '../json.ts';

/** A list under way. `after` and `upTo` are numbers of items, `cursor` how many came before. `isBounded`: the request had `until`. */
export type OaiToken = {
  readonly prefix: string;
  readonly set: string | null;
  readonly after: number;
  readonly upTo: number;
  readonly cursor: number;
  readonly isBounded: boolean;
};

const version = 1;
const checksumOf = (text: string): string =>
  createHash('sha256').update(`muniment oai ${text}`).digest('base64url').slice(0, 8);

/** The text of a token. */
export function formatToken({ prefix, set, after, upTo, cursor, isBounded }: OaiToken): string {
  const text = Buffer.from(JSON.stringify([version, prefix, set, after, upTo, cursor, isBounded])).toString(
    'base64url',
  );
  return `${text}.${checksumOf(text)}`;
}

/** Reads a token; null where it is none. */
export function parseToken(token: string): OaiToken | null {
  const [text = '', checksum, ...more] = token.split('.');
  if (token.length > 2000 || more.length > 0 || checksum !== checksumOf(text)) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(value) || isObject(value)) return null;
  const [is, prefix, set, after, upTo, cursor, isBounded]: readonly unknown[] = value;
  if (
    is !== version ||
    typeof prefix !== 'string' ||
    (set !== null && typeof set !== 'string') ||
    typeof isBounded !== 'boolean'
  )
    return null;
  if (!isCount(after) || !isCount(upTo) || !isCount(cursor)) return null;
  return { prefix, set, after, upTo, cursor, isBounded };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
