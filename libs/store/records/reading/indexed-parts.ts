// The components that the entries of index notes point at: an entry's `reference` is the ref_id of one in the same tree, and replies say
// whose it is (`reference_ref`; contract schemas.json, note_index_item). Looked up where a record has such entries, which few have.
import { z } from 'zod';
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import { keyText } from '#domain/checking/split.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { objectOf, objectsOf, textOf } from '#domain/json.ts';
import { allKinds } from '#domain/kinds/index.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { ofKinds } from '../of-kinds.ts';
import type { RecordRow } from './row.ts';
import type { Viewer } from './viewer.ts';

/** The unique rules by which components are known in a tree, by the kind of its root. */
const ruleByRoot: ReadonlyMap<string, string> = new Map(
  allKinds.flatMap(({ tree, unique = [] }) =>
    unique.flatMap(({ property, name }) => (tree !== undefined && property === 'ref_id' ? [[tree.root, name]] : [])),
  ),
);

const ofComponents = ofKinds(
  allKinds.flatMap(({ name, tree }) => (tree !== undefined && ruleByRoot.has(tree.root) ? [name] : [])),
);

/** A record as read: of its row the kind, and its text. */
type Text = { readonly row: Pick<RecordRow, 'kind'>; readonly text: string };

type Entry = { readonly item: { [property: string]: Json | undefined }; readonly rule: string; readonly scope: string };

const WithIndexedPartRow = z.strictObject({
  n: column.int,
  kind: column.text,
  id: column.int,
  repo_id: column.maybeInt,
});

/** The records with `reference_ref` in the entries of their index notes, as far as the viewer may see the components. At most one statement. */
export async function withIndexedParts<T extends Text>(
  reader: Reader,
  records: readonly T[],
  viewer: Viewer,
): Promise<readonly T[]> {
  // Byte sequences of our own texts: inside a JSON string their quotes would be escaped.
  const isIndex = ({ text }: Text): boolean =>
    text.includes('"jsonmodel_type":"note_index_item"') && text.includes('"reference":');
  if (!records.some(isIndex)) return records;
  const parsed = new Map<Text, JsonObject>(
    // Texts of replies are JSON objects.
    records.filter(isIndex).map((record) => [record, JSON.parse(record.text) as JsonObject]),
  );
  const entries = [...parsed].flatMap(([{ row }, record]) => entriesOf(row.kind, record));
  const rows = entries.map(({ item, rule, scope }, n) => [n, rule, scope, keyText(textOf(item, 'reference') ?? '')]);
  const found = await reader.any(sql.type(WithIndexedPartRow)`
    SELECT u.n, r.kind, r.id, r.repo_id FROM ${sql.unnest(rows, ['int4', 'text', 'text', 'text'])} AS u (n, rule, scope, value)
    JOIN unique_key k ON k.rule = u.rule AND k.scope = u.scope AND k.value = u.value
    JOIN record r ON r.kind = k.kind AND r.id = k.id AND ${ofComponents} WHERE ${viewer.seesSuppressed}::boolean OR NOT r.suppressed`);
  for (const { n, kind, id, repo_id: repoId } of found) {
    const entry = entries[n];
    if (entry !== undefined) entry.item['reference_ref'] = { ref: uriOf(kindNamed(kind), id, repoId) };
  }
  return records.map((record) => {
    const whole = parsed.get(record);
    return whole === undefined ? record : { ...record, text: JSON.stringify(whole) };
  });
}

/** The entries of a record's index notes that refer to something, and the rule by which that is known in the record's tree. */
function entriesOf(kind: string, record: JsonObject): readonly Entry[] {
  const { tree } = kindNamed(kind);
  const root = tree === undefined ? textOf(record, 'uri') : textOf(objectOf(record, tree.rootProperty), 'ref');
  const rule = ruleByRoot.get(parseUri(root ?? '')?.kind ?? '');
  if (root === undefined || rule === undefined) return [];
  return objectsOf(record, 'notes').flatMap((note) =>
    objectsOf(note, 'items').flatMap((item) =>
      textOf(item, 'jsonmodel_type') === 'note_index_item' && textOf(item, 'reference') !== undefined
        ? // Parsed here a moment ago, so nobody else holds it.
          [{ item: item as Entry['item'], rule, scope: root }]
        : [],
    ),
  );
}
