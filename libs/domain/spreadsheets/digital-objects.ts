// Digital objects that a spreadsheet describes (contract trees-and-jobs 6.3): those to be made, and those whose title, flag or first file change.
import type { Json, JsonObject } from '../json.ts';
import { objectsOf } from '../json.ts';
import { parsePath } from './columns.ts';
import type { Facts } from './facts.ts';
import type { UpdateRow } from './rows.ts';

/** A digital object as cells describe it, and where; cells that are not there are absent. */
export type DescribedObject = {
  readonly id: string;
  readonly row: number;
  readonly column: string;
  readonly cells: ReadonlyMap<string, string | null>;
};

/** The digital objects of a row in which a cell differs from what is stored and more than the identifier is told. */
export function describedObjects({ row, cells }: UpdateRow, facts: Facts): readonly DescribedObject[] {
  const byIndex = new Map<number, Map<string, string | null>>();
  const changed = new Set<number>();
  for (const [path, cell] of cells) {
    const parsed = parsePath(path);
    if (parsed === null || !('group' in parsed) || parsed.group !== 'digital_object') continue;
    const part = byIndex.get(parsed.index) ?? new Map<string, string | null>();
    byIndex.set(parsed.index, part.set(parsed.field, cell));
    if ((facts.get(path) ?? null) !== cell) changed.add(parsed.index);
  }
  return [...byIndex]
    .filter(([index]) => changed.has(index))
    .flatMap(([index, part]) => {
      const id = part.get('digital_object_id') ?? null;
      part.delete('digital_object_id');
      return id === null ? [] : [{ id, row, column: `digital_object/${index}`, cells: part }];
    });
}

/** The record of a described object: a new one (`old` null), or the stored one with what the cells say. */
export function objectFrom({ id, cells }: DescribedObject, old: JsonObject | null): JsonObject {
  const title = cells.get('digital_object_title') ?? null;
  const publish = cells.get('digital_object_publish') ?? null;
  const next: { [property: string]: Json | undefined } = { ...(old ?? { digital_object_id: id, file_versions: [] }) };
  if (title !== null) next['title'] = title;
  if (publish !== null) next['publish'] = publish === 'true';
  const files = objectsOf(next, 'file_versions');
  const file: { [property: string]: Json | undefined } = { ...files[0] };
  // A column that the sheet has not leaves what is stored.
  for (const field of ['file_uri', 'caption'])
    if (cells.has(`file_version_${field}`)) file[field] = cells.get(`file_version_${field}`) ?? undefined;
  const publishFile = cells.get('file_version_publish') ?? null;
  if (publishFile !== null) file['publish'] = publishFile === 'true';
  // A file of which nothing is left is no file; that of an object that has one is not deleted, which applyRow tells.
  if (file['file_uri'] !== undefined || file['caption'] !== undefined)
    next['file_versions'] = [file, ...files.slice(1)];
  return next;
}
