// A stored record as clients see it: the reply is put together from texts, without parsing the body.
// Decision 0004 tells why the body is text and how audit fields of sub-records come in.
import { uriOf } from '#domain/addresses.ts';
import type { Config } from '#domain/config.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { RecordRow } from './row.ts';
import { withShownParts } from './shown-parts.ts';

/** The properties of a record that every reply has before its body: version, audit fields, flags. Ends in a comma. */
function auditText(row: RecordRow): string {
  const createdBy = row.created_by === null ? '' : `"created_by":${JSON.stringify(row.created_by)},`;
  const modifiedBy = row.last_modified_by === null ? '' : `"last_modified_by":${JSON.stringify(row.last_modified_by)},`;
  return `{"lock_version":${row.lock_version},${createdBy}${modifiedBy}"create_time":"${row.create_time}","system_mtime":"${row.system_mtime}","user_mtime":"${row.user_mtime}",`;
}

type Hidden = readonly (readonly [property: string, release: string])[];
// By kind, what replies of one release alone show, with that release: found once and not at every record.
const hidden = new Map<Kind, Hidden>();

function hiddenOf(kind: Kind): Hidden {
  const found = Object.entries(kind.properties).flatMap(([name, { hiddenElsewhere, release }]) =>
    hiddenElsewhere === true && release !== undefined ? [[name, release] as const] : [],
  );
  hidden.set(kind, found);
  return found;
}

/** A body without what the other release alone shows. */
function ofRelease(kind: Kind, body: string, release: Config['MUNIMENT_RELEASE']): string {
  const known = hidden.get(kind) ?? hiddenOf(kind);
  if (known.length === 0) return body;
  const others = known.filter(([, own]) => own !== release).map(([name]) => name);
  if (others.length === 0) return body;
  const shown = Object.entries(JSON.parse(body) as JsonObject).filter(([name]) => !others.includes(name));
  return JSON.stringify(Object.fromEntries(shown));
}

/** For which release, and whether with what is known of its last save, in it and in its parts (`seesSaves` of a viewer). */
type ComposeOptions = {
  readonly release?: Config['MUNIMENT_RELEASE'] | undefined;
  readonly seesSaves?: boolean | undefined;
};

/**
 * The JSON text of a record as a GET answers it: audit fields, flags and addresses from the row, what is computed from other rows, and the
 * body. `computedText` gives the text `"name":value,…` of the kind's computed columns, each with a trailing comma; it may be empty.
 */
export function composeRecord(
  kind: Kind,
  row: RecordRow,
  computedText: string,
  { release = 'R-B', seesSaves = true }: ComposeOptions = {},
): string {
  const publish = row.publish === null ? '' : `"publish":${row.publish},`;
  const suppressed = kind.suppressible === true ? `"suppressed":${row.suppressed},` : '';
  const uri = `"uri":${JSON.stringify(uriOf(kind, row.id, row.repo_id))},`;
  const repository = kind.scope === 'repository' ? `"repository":{"ref":"/repositories/${row.repo_id}"},` : '';
  const label =
    kind.labelProperty === null || row.label === '' ? '' : `"${kind.labelProperty}":${JSON.stringify(row.label)},`;
  const stored = ofRelease(kind, row.body, release).slice(1);
  const body = seesSaves ? withShownParts(kind, row, stored, release) : stored;
  return `${seesSaves ? auditText(row) : '{'}${publish}${suppressed}${uri}${repository}${label}${computedText}${body}`;
}
