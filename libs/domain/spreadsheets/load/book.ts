// The records that a sheet makes, in order: each thing that rows name alike is made once. And what the report tells of each row.
import { kindNamed } from '../../addresses.ts';
import type { JsonObject } from '../../json.ts';
import type { Draft, LoadRecord } from './draft.ts';
import { newDraft } from './draft.ts';
import type { RowReader } from './row-reader.ts';

/** A record that rows share: the rows that name it have the same key. `says` names it in the report. */
type SharedRecord = {
  readonly kind: string;
  readonly key: string;
  readonly body: JsonObject;
  readonly columns: { readonly [path: string]: string };
  readonly says: string;
};

/** Something that the first row to name it makes. */
export type MadeRecord = { readonly row: number; readonly uri: string; readonly says: string };

/** The records of the batch as they come. */
export type LoadBook = {
  nextUri(kind: string): string;
  /** The temporary uri of a record that rows share. */
  make(reader: RowReader, shared: SharedRecord): string;
  /** Adds a record of one row. */
  add(row: number, draft: Draft): void;
  /** Changes a record that was made by `make`; false where there is none such. */
  amend(uri: string, more: JsonObject): boolean;
  readonly records: LoadRecord[];
  readonly made: MadeRecord[];
};

/** An empty book. `importId` (hex and dashes) sets its temporary uris apart from those of other jobs. */
export function openBook(repoId: number, importId: string): LoadBook {
  const records: LoadRecord[] = [];
  const made: MadeRecord[] = [];
  const uris = new Map<string, string>();
  const places = new Map<string, number>();
  let count = 0;
  const nextUri = (kind: string): string => {
    count += 1;
    return kindNamed(kind).uri.replace(':repo_id', String(repoId)).replace(':id', `import_${importId}-${count}`);
  };
  const add = (row: number, { body, columns }: Draft): void => void records.push({ record: body, row, columns });
  return {
    nextUri,
    records,
    made,
    add,
    make: ({ row }, { kind, key, body, columns, says }) => {
      const before = uris.get(`${kind}\n${key}`);
      if (before !== undefined) return before;
      const uri = nextUri(kind);
      uris.set(`${kind}\n${key}`, uri);
      places.set(uri, records.length);
      const { body: start } = newDraft(kind, uri);
      add(row, { body: Object.assign(start, body), columns: { ...columns } });
      made.push({ row, uri, says });
      return uri;
    },
    amend: (uri, more) => {
      const at = places.get(uri);
      const old = at === undefined ? undefined : records[at];
      if (at === undefined || old === undefined) return false;
      records[at] = { ...old, record: { ...old.record, ...more } };
      return true;
    },
  };
}
