// A record as a GET answers it, on its way back into storage: checked and split as a created one, with what the service alone writes kept.
import { parseUri } from '../addresses.ts';
import { withFailuresOf } from '../batch-import/block.ts';
import { termKeyText, termOf, withTerms } from '../batch-import/terms.ts';
import type { PrepareContext, Prepared } from '../checking/context.ts';
import type { Link } from '../checking/prepare.ts';
import { prepare } from '../checking/prepare.ts';
import type { KeyRow, Stored } from '../checking/split.ts';
import { keysOf, splitBody } from '../checking/split.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import type { GeneratedValues, Kind } from '../kind.ts';
import type { RecordAddress } from '../uri.ts';
import { lineFailure } from './lines.ts';
import { inOrderOf } from './order.ts';

/** A record ready for its rows. */
export type LoadedRecord = Stored & {
  readonly number: number;
  readonly kind: Kind;
  readonly id: number;
  readonly repoId: number | null;
  readonly suppressed: boolean;
  readonly audit: Audit;
  readonly keys: readonly KeyRow[];
  /** The terms that the record names in full, with their addresses. */
  readonly terms: readonly LoadedTerm[];
  /** What is stored beside it (`kept: 'rows'`). */
  readonly beside: JsonObject;
  readonly newValues: Prepared['newEnumerationValues'];
};

/** Who wrote a record when, and how often; absent times are those of the load. */
type Audit = {
  readonly lockVersion: number;
  readonly createdBy: string | null;
  readonly lastModifiedBy: string | null;
  readonly createTime: string | null;
  readonly systemMtime: string | null;
  readonly userMtime: string | null;
};

/** A term as a subject shows it. */
type LoadedTerm = {
  readonly id: number;
  readonly term: string;
  readonly termType: string;
  readonly vocabulary: string;
};

/** Takes a record apart. Fails with `import_failed` naming what is wrong with which property. */
export function loadedRecord(
  kind: Kind,
  address: RecordAddress,
  numbered: { readonly record: JsonObject; readonly number: number },
  preparing: PrepareContext,
): LoadedRecord {
  const { record, number } = numbered;
  const prepared = withFailuresOf(numbered, () => prepare(kind, record, preparing));
  const stray: { [path: string]: Json } = {};
  for (const link of prepared.links)
    if (link.address === undefined && preparing.parseUri(link.uri) === null)
      stray[link.path] = [`Reference does not exist! (Reference: '${link.uri}')`];
  if (Object.keys(stray).length > 0) throw lineFailure(record, number, stray, 'unknown_reference');
  const terms = termsOf(record);
  const whole = withKept(kind, prepared, record);
  const body = withTerms(whole.body, tableOf(terms), new Map());
  const { generatedValues } = preparing;
  const stored = withFailuresOf(numbered, () => {
    const generated = generatedOf(kind, body, generatedValues);
    const ordered = inOrderOf(record, generated, prepared.body);
    return splitBody(withoutGeneration(kind), { ...whole, body: ordered }, generatedValues, null);
  });
  return {
    ...stored,
    publish: stored.publish !== null && typeof record['publish'] === 'boolean' ? record['publish'] : stored.publish,
    number,
    kind,
    id: address.id,
    repoId: address.repoId,
    suppressed: record['suppressed'] === true,
    audit: auditOf(record),
    keys: keysOf(kind, stored.body, address.repoId, stored.place),
    terms,
    beside: prepared.body,
    newValues: prepared.newEnumerationValues,
  };
}

/** The prepared body with what readers see and nobody sends, and without what is stored beside it. */
function withKept(kind: Kind, prepared: Prepared, record: JsonObject): Prepared {
  const body: { [property: string]: Json | undefined } = { ...prepared.body };
  const links: Link[] = prepared.links.filter((link) => kind.properties[link.property]?.kept !== 'rows');
  for (const [name, property] of Object.entries(kind.properties)) {
    if (property.kept === 'rows') delete body[name];
    const told = record[name] ?? property.whenUntold;
    if (property.kept !== 'body' || told === undefined) continue;
    if (property.type !== 'ref') {
      body[name] = told;
      continue;
    }
    const uri = textOf(objectOf(record, name), 'ref');
    if (uri === undefined) continue;
    body[name] = { ref: uri };
    links.push({ property: name, path: name, uri, role: null });
  }
  return { ...prepared, body, links };
}

// A memo of a pure function: one for each kind.
const ungenerated = new WeakMap<Kind, Kind>();

/** The kind without its generation, which has run already. */
function withoutGeneration(kind: Kind): Kind {
  const known = ungenerated.get(kind);
  if (known !== undefined) return known;
  const { generate: _, ...made } = kind;
  ungenerated.set(kind, made);
  return made;
}

/** The body with what is generated, but for its slug: another could have been taken when it was made. */
function generatedOf(kind: Kind, body: JsonObject, generatedValues: GeneratedValues): JsonObject {
  if (kind.generate === undefined) return body;
  const generated = kind.generate(body, generatedValues, null);
  return body['slug'] === undefined ? generated : { ...generated, slug: body['slug'] };
}

function auditOf(record: JsonObject): Audit {
  const version = record['lock_version'];
  return {
    lockVersion: typeof version === 'number' ? version : 0,
    createdBy: textOf(record, 'created_by') ?? null,
    lastModifiedBy: textOf(record, 'last_modified_by') ?? null,
    createTime: textOf(record, 'create_time') ?? null,
    systemMtime: textOf(record, 'system_mtime') ?? null,
    userMtime: textOf(record, 'user_mtime') ?? null,
  };
}

function termsOf(record: JsonObject): readonly LoadedTerm[] {
  if (record['terms'] === undefined && record['linked_agents'] === undefined) return [];
  return [record, ...objectsOf(record, 'linked_agents')].flatMap((holder) =>
    objectsOf(holder, 'terms').flatMap((value) => {
      const term = termOf(value);
      const address = parseUri(textOf(value, 'uri') ?? '');
      return term === null || address === null ? [] : [{ ...term, id: address.id }];
    }),
  );
}

function tableOf(terms: readonly LoadedTerm[]): Parameters<typeof withTerms>[1] {
  const ids = new Map(terms.map((term) => [termKeyText(term), term.id]));
  return {
    get: (text) => {
      const id = ids.get(text);
      return id === undefined ? null : { kind: 0, id };
    },
  };
}

/** The names and codes that a group has beside its record, and whether a user is an administrator. */
export function besideOf(beside: JsonObject): {
  readonly members: readonly string[];
  readonly grants: readonly string[];
  readonly isAdmin: boolean;
} {
  return {
    members: textsOf(beside, 'member_usernames').map((name) => name.trim().toLowerCase()),
    grants: textsOf(beside, 'grants_permissions'),
    isAdmin: isObject(beside) && beside['is_admin'] === true,
  };
}
