// Walking through everything that a search finds, page by page, at the same cost at any depth: a cursor says after which document the next
// page begins. An addition of Muniment. It is text for whoever wrote it alone; it holds no rights, so it is checked but not signed.
import { createHash } from 'node:crypto';
import { fail } from '../../errors.ts';
import type { Json } from '../../json.ts';
import type { Cursor, Position, SearchRequest } from '../query/request.ts';

const first = '*';
// Sort keys have up to 400 characters each.
const longestCursor = 16_384;

/**
 * A request as a walk that begins (`*`) or goes on. It is ordered by the fields of `sort`, then by uri; without `sort` by uri. Throws
 * `bad_parameter` for a cursor that is damaged or of another search, and for an order by score.
 */
export function withCursor(request: SearchRequest, text: string): SearchRequest {
  if (request.sort.some(({ field }) => field === 'score'))
    throw fail('bad_parameter', { sort: ['A cursor goes with an order by fields, not by score'] });
  return { ...request, cursor: text === first ? {} : readCursor(request, text) };
}

/** The cursor for what comes after a position. It has the time of the first page with it, so that NOW stays what it was then. */
export function writeCursor(request: SearchRequest, after: Position, total: number): string {
  const text = JSON.stringify([after, total, request.now]);
  return Buffer.from(`${seal(request, text)}${text}`).toString('base64url');
}

/** When the walk of a cursor began, in milliseconds since 1970: the `now` that its request is read with. Null for the first page, and for a damaged cursor, which is refused later. */
export function momentOfCursor(cursor: string): number | null {
  const { text } = decode(cursor);
  const value = text === '' ? null : parse(text);
  const now: unknown = Array.isArray(value) ? value[2] : null;
  return typeof now === 'number' && Number.isSafeInteger(now) ? now : null;
}

function decode(cursor: string): { readonly sealed: string; readonly text: string } {
  const decoded = cursor.length > longestCursor ? '' : Buffer.from(cursor, 'base64url').toString();
  return { sealed: decoded.slice(0, sealLength), text: decoded.slice(sealLength) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readCursor(request: SearchRequest, cursor: string): Cursor {
  const { sealed, text } = decode(cursor);
  const isWhole = text !== '' && sealed === seal(request, text);
  const read = isWhole ? toPosition(text, request.sort.length + 1) : null;
  if (read === null)
    throw fail('bad_parameter', {
      cursor: ["Not a cursor of this search. Begin with '*', and change nothing but the cursor from page to page"],
    });
  return read;
}

// The seal is no secret, so what it seals is looked at all the same.
function toPosition(text: string, length: number): Required<Cursor> | null {
  const value = parse(text);
  if (!Array.isArray(value)) return null;
  const [after, total]: readonly unknown[] = value;
  if (
    !Array.isArray(after) ||
    after.length !== length ||
    !after.every((one) => one === null || typeof one === 'string')
  )
    return null;
  return typeof total === 'number' && Number.isSafeInteger(total) ? { after, total } : null;
}

const sealLength = 16;

// Of everything that decides what is found and in which order; pages may have any size, and any fields.
function seal(request: SearchRequest, text: string): string {
  const { query, filters, types, excludedIds, sort, stem, isRelaxed } = request;
  const order = sort.map(({ field, isDescending }): Json => [field === 'score' ? field : field.name, isDescending]);
  return createHash('sha256')
    .update(
      JSON.stringify([
        query ?? null,
        filters,
        types,
        excludedIds,
        order,
        ...(stem === undefined ? [] : [stem]),
        ...(isRelaxed ? ['relax'] : []),
      ]),
    )
    .update(text)
    .digest('base64url')
    .slice(0, sealLength);
}
