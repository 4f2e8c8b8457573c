// Makes the search documents of a record: what a search answers of it, and the vector, values and keys it is found by.
// Pure; the indexer reads the records with their refs resolved and hands the documents to a search adapter.
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, textOf } from '../../json.ts';
import { toSortKey, toTitleSort } from '../../text/sort-key.ts';
import type { DocumentContext, DocumentFields } from '../declaration.ts';
import { partsOf, searchOf } from '../declared.ts';
import { toPresenceLexeme } from '../lexeme.ts';
import { toShownDigest, toTargets } from './dependents.ts';
import { eachField, isAnswered, toMarks, toSorts, toValues } from './field-values.ts';
import { readKindFields } from './kind-fields.ts';
import { copyIdOf, sharedMark } from './public-copy.ts';
import { withRepositoryLast } from './repository-refs.ts';
import { readSharedFields, repositoryOf } from './shared-fields.ts';
import { readNotes, readPublicPart } from './texts.ts';
import type { Vector } from './vector.ts';
import { toVector } from './words.ts';

/**
 * Who finds a document: all, staff alone, or the public alone. A record with unpublished parts has one of each of the latter. `shared`: an
 * archival object without such parts, which is the record to staff and its copy to the public (public-copy.ts).
 */
export type Audience = 'all' | 'staff' | 'public' | 'shared';

/**
 * What an index holds of a record. (`id`, `audience`) is unique. Times are ISO 8601; `values` are what facets count. `shownDigest`: of what
 * documents of other records show of this one; `targets`: records whose documents tell of this one (toTargets of dependents.ts).
 */
export type SearchDocument = {
  readonly id: string;
  readonly uri: string;
  readonly kind: string;
  readonly recordId: number;
  readonly shownDigest: string;
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
  return [...own, ...own.slice(0, 1).flatMap((owner) => toPartDocuments(owner, record, context))];
}

/** The documents of sub-records that have one (collection management), which come, change and go with the record's own. */
function toPartDocuments(
  owner: SearchDocument,
  record: JsonObject,
  context: DocumentContext,
): readonly SearchDocument[] {
  const { kind, recordId, shownDigest, targets } = owner;
  return partsOf(kind).flatMap(([property, { name }, { ownDocument }]) => {
    const part = objectOf(record, property);
    if (part === undefined || ownDocument === undefined || textOf(part, 'uri') === undefined) return [];
    const title = textOf(record, 'title') ?? textOf(record, 'display_string') ?? '';
    const fields = { title, parent_id: owner.uri, parent_title: title, parent_type: kind };
    const document = makeDocument(
      name,
      { ...part, ...fields, suppressed: owner.isSuppressed, publish: false },
      context,
      'staff',
      false,
    );
    return [
      {
        ...document,
        kind,
        recordId,
        shownDigest,
        targets,
        stored: { ...document.stored, json: JSON.stringify(part) },
      },
    ];
  });
}

function toOwnDocuments(kind: string, record: JsonObject, context: DocumentContext): readonly SearchDocument[] {
  const isPublished = isVisibleToPublic(kind, record, context);
  if (!isPublished) {
    return [makeDocument(kind, record, context, 'staff', false)];
  }
  const shown = readPublicPart(context.publicRecord ?? record);
  return shown === record
    ? [makeDocument(kind, record, context, searchOf(kind).hasPublicCopy === true ? 'shared' : 'all', true)]
    : [makeDocument(kind, record, context, 'staff', true), makeDocument(kind, shown, context, 'public', true)];
}

// Contract: behaviour-search.md section 9, `publish`.
function isVisibleToPublic(kind: string, record: JsonObject, context: DocumentContext): boolean {
  if (
    record['suppressed'] === true ||
    record['has_unpublished_ancestor'] === true ||
    context.isRepositoryPublished === false
  ) {
    return false;
  }
  return searchOf(kind).isPublic?.(record) ?? record['publish'] === true;
}

function makeDocument(
  kind: string,
  record: JsonObject,
  context: DocumentContext,
  audience: Audience,
  isPublished: boolean,
): SearchDocument {
  const uri = textOf(record, 'uri') ?? '';
  const search = searchOf(kind);
  const isPublicCopy = search.hasPublicCopy === true && audience === 'public';
  const own = {
    ...readSharedFields(record),
    ...dropAbsent(readKindFields(kind, record, context)),
  };
  const repository = textOf(own, 'repository') ?? repositoryOf(record);
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
    shownDigest: toShownDigest(kind, record, isPublished),
    targets: toTargets(record),
    repoId: repoIdOf(repository),
    audience,
    isPublished,
    isSuppressed: record['suppressed'] === true,
    factor: search.factor ?? 1,
    titleSort: orNull(toTitleSort(textOf(fields, 'title_sort') ?? '')),
    identifierSort: orNull(toSortKey(textOf(fields, 'identifier_sort') ?? textOf(fields, 'identifier') ?? '')),
    createTime: orNull(textOf(record, 'create_time')),
    userMtime: orNull(textOf(record, 'user_mtime')),
    systemMtime: orNull(textOf(record, 'system_mtime')),
    sorts: toSorts(known),
    values: toValues(known),
    vector: toVector(record, fields, context.ancestorTexts ?? [], [
      ...(audience === 'shared' ? [sharedMark] : []),
      ...toMarks(known),
      ...(isCopiedFromNotes(kind, fields) ? [publishedNotesThere] : []),
    ]),
    stored: toStored(fields, record),
  };
}

function typesOf(
  kind: string,
  record: JsonObject,
  context: DocumentContext,
  audience: Audience,
  isPublished: boolean,
): ReadonlySet<string> {
  const { types, publicTypes = [`pui_${kind}`, 'pui'], hasPublicCopy = false } = searchOf(kind);
  // Where the public has copies, the record itself is not for it.
  const isForPublic = hasPublicCopy ? audience === 'public' : isPublished;
  return new Set([kind, ...(types?.(record, context) ?? []), ...(isForPublic ? publicTypes : [])]);
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

const publishedNotesThere = toPresenceLexeme({ name: 'notes_published' });

// As replies have them (reply/page.ts).
const isCopiedFromNotes = (kind: string, { notes, notes_published: published }: DocumentFields): boolean =>
  Array.isArray(notes) && notes.length > 0 && published === undefined && searchOf(kind).notesAreInternal !== true;

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

function dropAbsent(fields: DocumentFields): JsonObject {
  const kept: { [name: string]: Json | undefined } = {};
  for (const name in fields) if (fields[name] !== undefined && fields[name] !== null) kept[name] = fields[name];
  return kept;
}

function repoIdOf(repository: string): number | null {
  const id = /^\/repositories\/(\d+)$/.exec(repository)?.[1];
  return id === undefined ? null : Number(id);
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
