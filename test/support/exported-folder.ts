// What a service holds as its GETs answer it, one JSON text a line: what a folder of a migration has (docs/guides/migrating.md).
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from './api.ts';

/** The lines, each with the address that answers it, and the addresses that answered otherwise. */
export type Exported = {
  readonly lines: readonly { readonly path: string; readonly text: string }[];
  readonly unread: readonly string[];
};

const Row = z.strictObject({ kind: column.text, id: column.int, repo_id: column.maybeInt });
const FormRow = z.strictObject({ path: column.text });
const DeletedRow = z.strictObject({ uri: column.text, at: column.time });

/** Reads everything: records of all kinds, then lists and settings, then what was deleted. */
export async function exportAll(api: TestApi): Promise<Exported> {
  const { reader } = api.database;
  const rows = await reader.any(sql.type(Row)`SELECT kind, id, repo_id FROM record ORDER BY kind, id DESC`);
  const forms = await reader.any(
    sql.type(
      FormRow,
    )`SELECT '/repositories/' || repo_id || '/' || kind || '/' || record_type AS path FROM form_setting ORDER BY 1`,
  );
  const repositories = rows.filter(({ kind, id }) => kind === 'repository' && id > 1);
  const paths = [
    ...rows.map(({ kind, id, repo_id: repoId }) => uriOf(kindNamed(kind), id, repoId)),
    ...forms.map(({ path }) => path),
    ...repositories.map(({ id }) => `/repositories/${id}/assessment_attribute_definitions`),
    '/oai_config',
  ];
  const lines: { path: string; text: string }[] = [];
  const unread: string[] = [];
  for (const path of paths) {
    const reply = await api.get(path);
    if (reply.status !== 200) {
      unread.push(path);
      continue;
    }
    // The settings of the OAI provider come as a list of one.
    const text = path.endsWith('_definitions')
      ? JSON.stringify({ uri: path, ...reply.json })
      : reply.text.trim().replace(/^\[([^]*)\]$/, '$1');
    lines.push({ path, text });
  }
  const lists = await api.get('/config/enumerations');
  for (const list of lists.json) lines.push({ path: list.uri, text: JSON.stringify(list) });
  const deleted = await reader.any(sql.type(DeletedRow)`SELECT uri, at FROM tombstone ORDER BY n`);
  for (const { uri, at } of deleted) lines.push({ path: '', text: JSON.stringify({ uri, at }) });
  return { lines, unread };
}

/** The lines as one text. */
export const asText = ({ lines }: Exported): string => lines.map(({ text }) => `${text}\n`).join('');
