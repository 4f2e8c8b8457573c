// From records as they are read to search documents, many at once: texts are parsed, refs completed, documents made and packed.
// Pure, for a thread: all that it needs was read before.
import { parseUri } from '../../addresses.ts';
import type { Json, JsonObject } from '../../json.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../json.ts';
import { resolvedProperties } from '../declared.ts';
import { toSearchDocuments } from './document.ts';
import type { PackedDocuments } from './packed.ts';
import { packDocuments } from './packed.ts';

/** A record as its GET answers it, whether the index has nothing of it yet, whether suppressed records are in it, a container, that it does not show, and the uris of what it made, a job. */
export type RecordText = {
  readonly kind: string;
  readonly text: string;
  readonly isNew: boolean;
  readonly holdsHidden?: boolean;
  readonly files?: readonly string[];
};

/** What documents are made of. `targets`: the records that links name, as JSON texts by uri; `labels`: what records are found by of their ancestors, by uri: titles, and identifiers of roots. */
export type Material = {
  readonly records: readonly RecordText[];
  readonly targets: readonly (readonly [uri: string, text: string])[];
  readonly labels: readonly (readonly [uri: string, texts: readonly string[]])[];
  /** The repositories that use an agent, subject or the like, by its uri: all, and those with a public record that does. */
  readonly used: readonly (readonly [uri: string, all: readonly string[], published: readonly string[]])[];
  /** The repositories of the records: their display strings, and whether the public sees them. */
  readonly repositories: readonly (readonly [id: number, name: string, isPublished: boolean])[];
};

type Mutable = { [property: string]: Json | undefined };

/** The packed documents of all records of the material. */
export function makeDocuments(material: Material): PackedDocuments {
  const targets = new Map(material.targets);
  const parsed = new Map<string, JsonObject>();
  const targetOf = (uri: string): JsonObject | undefined => {
    const known = parsed.get(uri);
    const text = targets.get(uri);
    if (known !== undefined || text === undefined) return known;
    const target = withoutBulk(parse(text));
    parsed.set(uri, target);
    return target;
  };
  const labels = new Map(material.labels);
  const used = new Map(material.used.map(([uri, all, published]) => [uri, { all, published }]));
  const repositories = new Map(material.repositories.map(([id, name, isPublished]) => [id, { name, isPublished }]));
  const fresh = new Set<string>();
  // One after another as they are packed.
  const documents = material.records.values().flatMap(({ kind, text, isNew, holdsHidden = false, files = [] }) => {
    const record = parse(text);
    resolve(record, resolvedProperties(kind), targetOf);
    const uri = textOf(record, 'uri') ?? '';
    const use = used.get(uri);
    const complete =
      use === undefined
        ? record
        : { ...record, used_within_repositories: use.all, used_within_published_repositories: use.published };
    const repository = repositories.get(parseUri(textOf(objectOf(record, 'repository'), 'ref') ?? '')?.id ?? 0);
    const made = toSearchDocuments(kind, complete, {
      holdsHidden,
      files,
      isRepositoryPublished: repository?.isPublished ?? true,
      ...(repository === undefined ? {} : { repositoryName: repository.name }),
      ancestorTexts: objectsOf(record, 'ancestors').flatMap(
        (ancestor) => labels.get(textOf(ancestor, 'ref') ?? '') ?? [],
      ),
    });
    if (isNew) for (const { id } of made) fresh.add(id);
    return made;
  });
  return packDocuments(documents, (document) => fresh.has(document.id));
}

function parse(text: string): Mutable {
  // Texts are the store's own replies: JSON objects.
  return JSON.parse(text) as Mutable;
}

// Notes of linked records would be copied into the document of each record that names them, and instances may lead to what is suppressed
// later, of which nothing tells this document; contact details are nobody's to find.
function withoutBulk(target: JsonObject): JsonObject {
  const { notes: _notes, instances: _instances, agent_contacts: contacts, ...rest } = target;
  return contacts === undefined ? rest : { ...rest, agent_contacts: [] };
}

/**
 * Completes refs whose targets were read: those of the properties that are declared so (contract: search_fields.json, `resolved_in_json`). What
 * else may have been read for other records of the batch stays out.
 */
function resolve(
  record: Mutable,
  properties: ReadonlySet<string>,
  targetOf: (uri: string) => JsonObject | undefined,
): void {
  const visit = (value: Json | undefined, isResolved: boolean): void => {
    if (Array.isArray(value)) {
      value.forEach((item) => visit(item, isResolved));
      return;
    }
    if (!isObject(value)) return;
    for (const key in value) if (typeof value[key] === 'object') visit(value[key], properties.has(key));
    const ref = value['ref'];
    const target = isResolved && typeof ref === 'string' ? targetOf(ref) : undefined;
    // Parsed here a moment ago, so nobody else holds it.
    if (target !== undefined) (value as Mutable)['_resolved'] = target;
  };
  visit(record, false);
}
