// A record that a row asks for, in the form that batch imports take, with the columns from which its properties come.
import type { Json, JsonObject } from '../../json.ts';
import type { Part } from './row-reader.ts';

/** A record of the batch: its row, and the codes of columns by slash path. Plain, so that it crosses between threads. */
export type LoadRecord = {
  readonly record: JsonObject;
  readonly row: number;
  readonly columns: { readonly [path: string]: string };
};

/** A record while it is put together. */
export type Draft = { readonly body: { [property: string]: Json }; readonly columns: { [path: string]: string } };

/** An empty draft of a kind under a temporary uri. */
export const newDraft = (kind: string, uri: string): Draft => ({ body: { jsonmodel_type: kind, uri }, columns: {} });

/** Takes the properties of a part into the record itself. */
export function addProperties({ body, columns }: Draft, part: Part): void {
  for (const [property, value] of Object.entries(part.body)) if (value !== undefined) body[property] = value;
  Object.assign(columns, part.codes);
}

/** Adds sub-records to a list property; `inside` is where in the sub-record the columns of the part are. */
export function addParts({ body, columns }: Draft, property: string, parts: readonly Part[], inside = ''): void {
  if (parts.length === 0) return;
  const before = body[property];
  const list: Json[] = Array.isArray(before) ? [...before] : [];
  for (const part of parts) {
    for (const [name, code] of Object.entries(part.codes))
      columns[`${property}/${list.length}${inside}/${name}`] = code;
    list.push(part.body);
  }
  body[property] = list;
}

/** The column behind a path: that of the property, of what holds it, or of something in it; the path itself where none is known. */
export function columnOf(columns: { readonly [path: string]: string }, path: string): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const code = Object.hasOwn(columns, at)
      ? columns[at]
      : Object.entries(columns).find(([other]) => other.startsWith(`${at}/`))?.[1];
    if (code !== undefined) return code;
  }
  return path;
}
