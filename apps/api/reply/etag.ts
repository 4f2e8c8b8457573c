// Entity tags of single records. A tag is strong: "3-…" holds the record's lock_version and a digest of the very bytes of the reply, so it
// changes with everything that can be seen, the labels of other records and what `resolve` embeds included. If-None-Match compares all of
// it; If-Match, on writes, the version alone: a new name of a linked agent is no conflict, and a tag from a read with `resolve` will do.
import { hash } from 'node:crypto';
import type { Reply } from './reply.ts';
import { isReply } from './reply.ts';
import type { Json } from '#domain/json.ts';

/** The text that a JSON reply of status 200 sends, or null for any other reply. */
export function jsonTextOf(value: Reply | Json): string | null {
  if (!isReply(value)) return JSON.stringify(value);
  if (value.status !== 200) return null;
  if (value.form === 'json_text') return value.text;
  return value.form === 'json' ? JSON.stringify(value.value) : null;
}

/** The tag of a record's text, in its quotes. */
export function tagOf(text: string): string {
  const version = /"lock_version":(\d+)/.exec(text)?.[1] ?? '0';
  return `"${version}-${hash('sha1', text, 'base64url')}"`;
}

const tags = /(?:W\/)?"([^"]*)"/g;

/** Whether If-None-Match names the tag, so that a 304 is the answer. The weak comparison of RFC 9110 8.8.3.2. */
export function matchesNone(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || [...header.matchAll(tags)].some(([, opaque]) => `"${opaque}"` === tag);
}

/** The versions that If-Match names: 'any' for *, null where there is no such header. Weak tags and those of others name none. */
export function versionsIn(header: string | undefined): readonly number[] | 'any' | null {
  if (header === undefined) return null;
  if (header.trim() === '*') return 'any';
  return [...header.matchAll(/(W\/)?"(\d+)-[^"]*"/g)].flatMap(([, weak, version]) =>
    weak === undefined ? [Number(version)] : [],
  );
}
