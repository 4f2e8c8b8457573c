// Makes the search documents of a record: what a search answers of it, and the vector, values and keys it is found by.
// Pure; the indexer reads the records with their refs resolved and hands the documents to a search adapter.
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, textOf } from '../../json.ts';
import { toSortKey, toTitleSort } from '../../text/sort-key.ts';
import { list, readSharedFields, repositoryOf, type DocumentFields } from './shared-fields.ts';
import { readKindFields } from './kind-fields.ts';
import { readNotes, readPublicPart } from './texts.ts';
import { textsIn, toVector } from './words.ts';
import { findField, findSortField, isFacet, oncePerName, type Field } from '../fields.ts';
import { toExactLexeme, toPresenceLexeme, toYearLexemes } from '../lexeme.ts';
import { toEcho, toTargets } from './dependents.ts';
import { copyIdOf, copyTypes, sharedMark } from './public-copy.ts';
import { withRepositoryLast } from './repository-refs.ts';
import type { Vector } from './vector.ts';

/**
 * Who finds a document: all, staff alone, or the public alone. A record with unpublished parts has one of each of the latter. `shared`: an
 * archival object without such parts, which is the record to staff and its copy to the public (public-copy.ts).
 */
export type Audience = 'all' | 'staff' | 'public' | 'shared';

/**
 * What an index holds of a record. (`id`, `audience`) is unique. Times are ISO 8601; `values` are what facets count. `echo`: a digest of
 * what documents of other records show of this one; `targets`: uris of records whose documents tell of this one.
 */
export type SearchDocument = {
  readonly id: string;
  readonly uri: string;
  readonly kind: string;
  readonly recordId: number;
  readonly echo: string;
  readonly targets: readonly string[];
  readonly repoId: number | null;
  readonly audience: Audience;
  readonly isPublished: boolean;
  readonly isSuppressed: boolean;
  readonly factor: number;
  readonly titleSort: string | null;
  readonly identifierSort: string | null;
  readonly createTime: string | null;
  readonly userMtime: string | null;
  readonly systemMtime: string | null;
  readonly sorts: { readonly [field: string]: string | number };
  readonly values: readonly (readonly [field: string, value: string])[];
  readonly vector: Vector;
  readonly stored: JsonObject;
};

/**
 * What the record alone does not say. `isRepositoryPublished`: false hides it from the public. `publicRecord`: the record
 * with what it inherits merged in, for the public document of an archival object. `hasUser`: the agent belongs to a user.
 * `ancestorTitles`: found by, without weight. `holdsHidden`: a container that is not empty, whatever it shows. `files`: uris of
 * what a job has made. `repositoryName`: the display string of its repository.
 */
export type DocumentContext = {
  readonly isRepositoryPublished?: boolean;
  readonly publicRecord?: JsonObject;
  readonly hasUser?: boolean;
  readonly ancestorTitles?: readonly string[];
  readonly holdsHidden?: boolean;
  readonly files?: readonly string[];
  readonly repositoryName?: string;
};

// Ranks kinds against each other, as the incumbent's boosts do (design: search.md section 4).
const factors: { readonly [kind: string]: number } = {
  resource: 3,
  accession: 3,
  subject: 1.5,
  agent_person: 1.5,
  agent_corporate_entity: 1.3,
  agent_family: 1.3,
};

// Fields that are searched but not answered.
const unanswered = /^(years|year_sort|title_sort|repo_sort)$|_u_(utext|sort)$|_int_sort$/;

/**
 * The search documents of a record: one for all, or where parts of it are unpublished one for staff and one for the public.
 * `record` is what its GET answers, links to agents, subjects, containers and ancestors carrying `_resolved`.
 * A published archival object is `<uri>#pui` to the public. Collection management is a document of its own, behind its record's.
 */
export function toSearchDocuments(
  kind: string,
  record: JsonObject,
  context: DocumentContext = {},
): readonly SearchDocument[] {
  const own = toOwnDocuments(kind, record, context);
  return [...own, ...own.slice(0, 1).flatMap((owner) => toManagementDocument(owner, record, context))];
}

/** The document of a record's collection management, which comes, changes and goes with the record's own. */
function toManagementDocument(
  owner: SearchDocument,
  record: JsonObject,
  context: DocumentContext,
): readonly SearchDocument[] {
  const management = objectOf(record, 'collection_management');
  if (management === undefined || textOf(management, 'uri') === undefined) return [];
  const { kind, recordId, echo, targets } = owner;
  const title = textOf(record, 'title') ?? textOf(record, 'display_string') ?? '';
  const fields = { title, parent_id: owner.uri, parent_title: title, parent_type: kind };
  const document = makeDocument(
    'collection_management',
    { ...management, ...fields, suppressed: owner.isSuppressed, publish: false },
    context,
    'staff',
    false,
  );
  return [
    { ...document, kind, recordId, echo, targets, stored: { ...document.stored, json: JSON.stringify(management) } },
  ];
}

function toOwnDocuments(kind: string, record: JsonObject, context: DocumentContext): readonly SearchDocument[] {
  const isPublished = isVisibleToPublic(kind, record, context);
  if (!isPublished) {
    return [makeDocument(kind, record, context, 'staff', false)];
  }
  const shown = readPublicPart(context.publicRecord ?? record);
  return shown === record
    ? [makeDocument(kind, record, context, kind === 'archival_object' ? 'shared' : 'all', true)]
    : [makeDocument(kind, record, context, 'staff', true), makeDocument(kind, shown, context, 'public', true)];
}

// Contract: behaviour-search.md section 9, `publish`; subjects and containers are public through published records alone.
function isVisibleToPublic(kind: string, record: JsonObject, context: DocumentContext): boolean {
  if (
    record['suppressed'] === true ||
    record['has_unpublished_ancestor'] === true ||
    context.isRepositoryPublished === false
  ) {
    return false;
  }
  const isLinked = record['is_linked_to_published_record'] === true;
  return kind === 'top_container' ? isLinked : record['publish'] === true && (kind !== 'subject' || isLinked);
}

function makeDocument(
  kind: string,
  record: JsonObject,
  context: DocumentContext,
  audience: Audience,
  isPublished: boolean,
): SearchDocument {
  const uri = textOf(record, 'uri') ?? '';
  const isPublicCopy = kind === 'archival_object' && audience === 'public';
  const repository = kind === 'repository' ? uri : repositoryOf(record);
  const own = {
    ...readSharedFields(record),
    ...dropAbsent(readKindFields(kind, record)),
    ...dropAbsent(readContextFields(kind, context)),
  };
  const title = textOf(own, 'title') ?? '';
  const fields: DocumentFields = dropAbsent({
    id: isPublicCopy ? copyIdOf(uri) : uri,
    uri,
    ...(isPublicCopy ? { pui_parent_id: uri } : {}),
    primary_type: kind,
    types: [...typesOf(kind, record, context, audience, isPublished)],
    repository,
    suppressed: record['suppressed'] === true,
    publish: isPublished,
    create_time: textOf(record, 'create_time'),
    system_mtime: textOf(record, 'system_mtime'),
    user_mtime: textOf(record, 'user_mtime'),
    created_by: textOf(record, 'created_by'),
    last_modified_by: textOf(record, 'last_modified_by'),
    ...own,
    title,
    title_sort: textOf(own, 'title_sort') ?? title,
    ...(audience === 'staff' ? publishedNotes(record) : {}),
  });
  const known = eachField(fields);
  return {
    id: textOf(fields, 'id') ?? uri,
    uri,
    kind,
    recordId: Number(/\d+$/.exec(uri)?.[0] ?? 0),
    echo: toEcho(record, isPublished),
    targets: toTargets(record),
    repoId: repoIdOf(repository),
    audience,
    isPublished,
    isSuppressed: record['suppressed'] === true,
    factor: factors[kind] ?? 1,
    titleSort: orNull(toTitleSort(textOf(fields, 'title_sort') ?? '')),
    identifierSort: orNull(toSortKey(textOf(fields, 'identifier_sort') ?? textOf(fields, 'identifier') ?? '')),
    createTime: textOf(record, 'create_time') ?? null,
    userMtime: textOf(record, 'user_mtime') ?? null,
    systemMtime: textOf(record, 'system_mtime') ?? null,
    sorts: toSorts(known),
    values: toValues(known),
    vector: toVector(record, fields, context.ancestorTitles ?? [], [
      ...(audience === 'shared' ? [sharedMark] : []),
      ...toMarks(known),
    ]),
    stored: toStored(fields, record),
  };
}

function readContextFields(kind: string, { holdsHidden, files = [], repositoryName }: DocumentContext): DocumentFields {
  return {
    ...(holdsHidden === true ? { empty_u_sbool: [false] } : {}),
    files: list(files),
    ...(kind.startsWith('classification') ? { repo_sort: repositoryName } : {}),
  };
}

// Said only where they are not all of the notes; page.ts adds them for the reply elsewhere.
function publishedNotes(record: JsonObject): DocumentFields {
  const shown = readPublicPart(record);
  if (shown === record) return {};
  const [all, published] = [readNotes(record), readNotes(shown)];
  return published.length === all.length && published.every((text, place) => text === all[place])
    ? {}
    : { notes_published: published };
}

function typesOf(
  kind: string,
  record: JsonObject,
  context: DocumentContext,
  audience: Audience,
  isPublished: boolean,
): ReadonlySet<string> {
  const types = new Set([kind]);
  if (kind.startsWith('agent_')) {
    types.add('agent');
    if (context.hasUser === true || (record['is_user'] ?? false) !== false) {
      types.add('agent_with_user');
    }
  }
  if (kind === 'job') {
    [textOf(record, 'job_type'), textOf(objectOf(record, 'job'), 'report_type')].forEach(
      (type) => type !== undefined && types.add(type),
    );
  }
  if (isPublished && kind !== 'archival_object') {
    publicTypes(kind).forEach((type) => types.add(type));
  }
  if (kind === 'archival_object' && audience === 'public') {
    copyTypes.forEach((type) => types.add(type));
  }
  return types;
}

function publicTypes(kind: string): readonly string[] {
  switch (kind) {
    case 'accession':
    case 'digital_object':
    case 'digital_object_component':
      return ['pui_record', 'pui'];
    case 'agent_person':
      return ['pui_agent', 'pui_person', 'pui'];
    case 'agent_corporate_entity':
      return ['pui_agent', 'pui'];
    case 'resource':
      return ['pui_collection', 'pui'];
    case 'classification':
      return ['pui_record_group', 'pui'];
    case 'top_container':
      return ['pui_container', 'pui'];
    default:
      return [`pui_${kind}`, 'pui'];
  }
}

/** A field, and whether documents have it for facets and for sorting. */
type FieldUse = { readonly field: Field; readonly isFacet: boolean; readonly isSort: boolean };

/** A field that documents have, and the texts of its values. */
type KnownField = FieldUse & { readonly texts: readonly string[] };

function toMarks(known: readonly KnownField[]): readonly string[] {
  const marks: string[] = [];
  for (const { field, texts } of known) {
    if (texts.length === 0) continue;
    marks.push(toPresenceLexeme(field));
    if (field.name === 'years') marks.push(...new Set(texts.flatMap((text) => toYearLexemes(Number(text)))));
    // URIs of the document itself have an index of their own, and words are in the vector already.
    else if (field.type !== 'text' && field.column === undefined)
      for (const text of texts) marks.push(toExactLexeme(field, text));
  }
  return marks;
}

function toValues(known: readonly KnownField[]): readonly (readonly [string, string])[] {
  const values: (readonly [string, string])[] = [];
  for (const { field, isFacet, texts } of known) if (isFacet) for (const text of texts) values.push([field.name, text]);
  return values;
}

function toSorts(known: readonly KnownField[]): { readonly [field: string]: string | number } {
  const sorts: { [field: string]: string | number } = {};
  for (const { field, isSort, texts } of known) {
    const [text] = texts;
    if (text === undefined || !isSort) continue;
    sorts[field.name] =
      field.type === 'int' ? Number(text) : field.type === 'date' || field.type === 'boolean' ? text : toSortKey(text);
  }
  return sorts;
}

function toStored(fields: DocumentFields, record: JsonObject): JsonObject {
  const json = withRepositoryLast(record['agent_contacts'] === undefined ? record : withoutContacts(record));
  const stored: { [name: string]: Json | undefined } = {};
  for (const name in fields) if (isAnswered(name)) stored[name] = fields[name];
  stored['jsonmodel_type'] = fields['primary_type'];
  stored['json'] = JSON.stringify(json);
  return stored;
}

function withoutContacts(record: JsonObject): JsonObject {
  const { agent_contacts: _contacts, ...shown } = record;
  return { ...shown, agent_contacts: [] };
}

// Names come from the lists of this folder and from the contract's controlled properties, so there are few: each is looked at once.
const useNamed = oncePerName((name): FieldUse | undefined => {
  const field = findField(name);
  return field === undefined
    ? undefined
    : {
        field,
        isFacet: isFacet(field),
        isSort: field.column === undefined && findSortField(field.name)?.name === field.name,
      };
});
const isAnswered = oncePerName((name) => !unanswered.test(name));

function eachField(fields: DocumentFields): readonly KnownField[] {
  const known: KnownField[] = [];
  for (const name in fields) {
    const use = useNamed(name);
    if (use !== undefined) known.push({ ...use, texts: textsIn(fields[name]) });
  }
  return known;
}

function dropAbsent(fields: DocumentFields): JsonObject {
  const kept: { [name: string]: Json | undefined } = {};
  for (const name in fields) if (fields[name] !== undefined && fields[name] !== null) kept[name] = fields[name];
  return kept;
}

function repoIdOf(repository: string): number | null {
  const id = /^\/repositories\/(\d+)$/.exec(repository)?.[1];
  return id === undefined ? null : Number(id);
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
