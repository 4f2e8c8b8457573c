// A stored record as rows give it, and as clients see it: the reply is put together from texts, without parsing the body.
// Decision 0004 tells why the body is text and how audit fields of sub-records come in.
import { uriOf } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { fileVersionIdentifier, managementUri, revisionStatementUri, telephoneUri } from '#domain/rules/part-uris.ts';
import { subrecords } from '#domain/subrecords/index.ts';

/** A row of `record`. */
export type RecordRow = {
  readonly kind: string;
  readonly id: number;
  readonly repo_id: number | null;
  readonly lock_version: number;
  readonly publish: boolean | null;
  readonly suppressed: boolean;
  readonly label: string;
  readonly created_by: string | null;
  readonly last_modified_by: string | null;
  readonly create_time: string;
  readonly system_mtime: string;
  readonly user_mtime: string;
  readonly body: string;
};

/** Sub-records that live in a repository of their own accord and show it, and the one that shows its owner too (contract, schemas.json output_exceptions; relationships.json, `repository`). */
const inRepository: ReadonlySet<string> = new Set([
  'deaccession',
  'collection_management',
  'user_defined',
  'revision_statement',
]);
const withParent = 'collection_management';
const locationMark = '"jsonmodel_type":"container_location"';
const representativeKey = '"representative_file_version":';
const auditMark = '{"jsonmodel_type":';
/** Sub-records that have audit fields without a version. */
const unversioned: ReadonlySet<string> = new Set(
  [...subrecords.values()].filter((schema) => schema.lockVersioned === false).map((schema) => schema.name),
);

/** The properties of a record that every reply has before its body: version, audit fields, flags. Ends in a comma. */
function auditText(row: RecordRow): string {
  const createdBy = row.created_by === null ? '' : `"created_by":${JSON.stringify(row.created_by)},`;
  const modifiedBy = row.last_modified_by === null ? '' : `"last_modified_by":${JSON.stringify(row.last_modified_by)},`;
  return `{"lock_version":${row.lock_version},${createdBy}${modifiedBy}"create_time":"${row.create_time}","system_mtime":"${row.system_mtime}","user_mtime":"${row.user_mtime}",`;
}

const linkTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/**
 * The JSON text of a record as a GET answers it. `computedText` gives the text `"name":value,…` of the kind's computed
 * columns, each with a trailing comma; it may be empty. `showsStatementUris`: revision statements have the addresses that R-A shows.
 *
 * Sub-records are re-created at each save (contract, behaviour-records 3.2), so their audit fields are those of the
 * record's last save. They are put in by replacing a byte sequence that the canonical body has at audited objects
 * alone; inside a JSON string its quotes would be escaped, so no text a client sends can be mistaken for it.
 */
export function composeRecord(kind: Kind, row: RecordRow, computedText: string, showsStatementUris = false): string {
  const rest = withAudit(kind, row, row.body.slice(1), showsStatementUris);
  const publish = row.publish === null ? '' : `"publish":${row.publish},`;
  const suppressed = kind.suppressible === true ? `"suppressed":${row.suppressed},` : '';
  const uri = `"uri":${JSON.stringify(uriOf(kind, row.id, row.repo_id))},`;
  const repository = kind.scope === 'repository' ? `"repository":{"ref":"/repositories/${row.repo_id}"},` : '';
  const label =
    kind.labelProperty === null || row.label === '' ? '' : `"${kind.labelProperty}":${JSON.stringify(row.label)},`;
  return `${auditText(row)}${publish}${suppressed}${uri}${repository}${label}${computedText}${rest}`;
}

/** Puts audit fields into the sub-records of a body's text, in one pass over the places where one begins. */
function withAudit(kind: Kind, row: RecordRow, body: string, showsStatementUris: boolean): string {
  // The link of a container to its shelf has times, in a form of their own (contract 1.2).
  const text = body.includes(locationMark)
    ? body.replaceAll(
        locationMark,
        `${locationMark},"system_mtime":"${linkTime(row.user_mtime)}","user_mtime":"${linkTime(row.user_mtime)}"`,
      )
    : body;
  const by =
    row.last_modified_by === null
      ? ''
      : `"created_by":${JSON.stringify(row.last_modified_by)},"last_modified_by":${JSON.stringify(row.last_modified_by)},`;
  const times = `${by}"create_time":"${row.user_mtime}","system_mtime":"${row.user_mtime}","user_mtime":"${row.user_mtime}",${auditMark.slice(1)}`;
  const parts = text.split(auditMark);
  // Where in its agent a telephone is: contacts come before their telephones, in the order of both.
  let contact = -1;
  let telephone = -1;
  let statement = -1;
  let file = -1;
  // Added up rather than joined: the reply is put together in one copy, when it is sent.
  let whole = parts[0] ?? '';
  for (let index = 1; index < parts.length; index++) {
    // What follows the mark: the name of the schema in quotes, then the rest of the object.
    const part = parts[index] ?? '';
    const end = part.indexOf('"', 1);
    const name = part.slice(1, end);
    if (name === 'agent_contact') [contact, telephone] = [contact + 1, -1];
    if (name === 'telephone') telephone += 1;
    if (name === 'revision_statement') statement += 1;
    if (name === 'file_version')
      file = parts[index - 1]?.endsWith(representativeKey) === true ? representativePlace(row.body) : file + 1;
    if (unversioned.has(name))
      whole += `{${times}"${name}"${name === 'telephone' ? uriText(telephoneUri(kind.name, row.id, contact, telephone)) : ''}${part.slice(end + 1)}`;
    else if (kind.scope === 'repository' && inRepository.has(name))
      whole += `{"lock_version":0,${times}"${name}"${surroundings(kind, row, name, showsStatementUris ? statement : null)}${part.slice(end + 1)}`;
    else if (name === 'file_version')
      whole += `{"lock_version":0,${times}"${name}"${identifierText(fileVersionIdentifier(kind.name, row.id, file))}${part.slice(end + 1)}`;
    else whole += `{"lock_version":0,${times}${part}`;
  }
  return whole;
}

const identifierText = (identifier: string | null): string =>
  identifier === null ? '' : `,"identifier":"${identifier}"`;

/** The place of the file version that the representative one is a copy of. It stands behind all of them. */
function representativePlace(text: string): number {
  const body: JsonObject = JSON.parse(text);
  const chosen = JSON.stringify(body['representative_file_version']);
  return objectsOf(body, 'file_versions').findIndex((version) => JSON.stringify(version) === chosen);
}

const uriText = (uri: string | null): string => (uri === null ? '' : `,"uri":"${uri}"`);

function surroundings(kind: Kind, row: RecordRow, name: string, statement: number | null): string {
  const own =
    name === 'revision_statement' && statement !== null
      ? uriText(revisionStatementUri(row.id, row.repo_id, statement))
      : '';
  const parent =
    name === withParent
      ? `${uriText(managementUri(kind.name, row.id, row.repo_id))},"parent":{"ref":${JSON.stringify(uriOf(kind, row.id, row.repo_id))}}`
      : '';
  return `${own},"repository":{"ref":"/repositories/${row.repo_id}"}${parent}`;
}
