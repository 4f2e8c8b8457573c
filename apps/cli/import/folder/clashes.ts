// Identifiers that clash: given by two files of a folder, or by a record of the service. Found before anything is sent, by reading the
// files here as the service will, and asking it which identifiers it has.
import { createReadStream } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { ImportAbout } from '#domain/formats/define-import.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectsOf, textOf } from '#domain/json.ts';
import type { Client } from '../../client.ts';
import type { FolderFile } from './inventory.ts';
import type { Clash } from './results.ts';

/** A file with the uri of the repository it goes to. */
export type Placed = { readonly file: FolderFile; readonly repository: string };

/** An identifier of a repository, and the files that give it. */
type Given = { readonly rule: string; readonly value: string; readonly repository: string; readonly files: string[] };

// Other records that are there already, such as agents and subjects, are used again; these are refused.
const ownRules: ReadonlySet<string> = new Set([
  'resource.identifier',
  'resource.ead_id',
  'accession.identifier',
  'digital_object.digital_object_id',
]);
const valuesAtOnce = 50;

/** All clashes of the files, in the order of the files. A file that cannot be read gives what came before the fault: the service will say why. */
export async function findClashes(
  client: Client,
  placed: readonly Placed[],
  onFile: (done: number) => void,
): Promise<readonly Clash[]> {
  const given = new Map<string, Given>();
  for (const [index, { file, repository }] of placed.entries()) {
    for await (const { rule, value } of identifiersOf(file, repository)) {
      const key = JSON.stringify([repository, rule, value]);
      const entry = given.get(key) ?? { rule, value, repository, files: [] };
      given.set(key, entry);
      entry.files.push(file.name);
    }
    onFile(index + 1);
  }
  const taken = await findTaken(client, [...given.values()]);
  return [...given].flatMap(([key, { rule, value, repository, files }]) => {
    const record = taken.get(key);
    if (files.length === 1 && record === undefined) return [];
    return [
      { rule, value: shownValue(value), repository, files, record: record ?? null, isInService: record !== undefined },
    ];
  });
}

/** What the records of a file have under the rules that count. */
async function* identifiersOf(
  file: FolderFile,
  repository: string,
): AsyncGenerator<{ readonly rule: string; readonly value: string }> {
  // The registry of kinds takes long to load; only this needs it.
  const [{ importFormats }, { kindNamed }] = await Promise.all([
    import('#domain/formats/import-types.ts'),
    import('#domain/addresses.ts'),
  ]);
  const format = importFormats.get(file.type);
  // Those name what the service has, and give no identifiers.
  if (format === undefined || format.readsAssessments === true) return;
  const chunks: AsyncIterable<Buffer> = createReadStream(file.path, { highWaterMark: 262_144 });
  try {
    for await (const record of format.read(chunks, aboutReading(repository))) {
      const rules = (kindNamed(record.jsonmodel_type).unique ?? []).filter(({ name }) => ownRules.has(name));
      for (const rule of rules) {
        const value = rule.key(record);
        if (typeof value === 'string') yield { rule: rule.name, value };
      }
    }
  } catch {
    // Whatever is wrong with the file, its job tells it with its place.
  }
}

// Identifiers do not hang on lists, containers and subjects of the service, so the reader is told of none.
const aboutReading = (repository: string): ImportAbout => ({
  repositoryUri: repository,
  importId: randomUUID(),
  today: new Date().toISOString().slice(0, 10),
  switches: { events: false, subjects: false, repository: false },
  eadAgents: 'external',
  isEnumerationValue: () => true,
  enumerationValueForLabel: () => undefined,
  topContainerUri: () => undefined,
  containerProfileUri: () => undefined,
  isAuthorityIdTaken: () => false,
});

/** Of the identifiers that the service has, the record, or null for one that is not shown. */
async function findTaken(client: Client, given: readonly Given[]): Promise<ReadonlyMap<string, string | null>> {
  const taken = new Map<string, string | null>();
  const groups = Map.groupBy(given, ({ repository, rule }) => JSON.stringify([repository, rule]));
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { repository, rule } = first;
    for (let start = 0; start < group.length; start += valuesAtOnce) {
      const values = group.slice(start, start + valuesAtOnce).map(({ value }) => value);
      const reply = await client.ask(`${repository}/identifiers_in_use`, { query: { rule, value: values } });
      for (const each of objectsOf(isObject(reply) ? reply : {}, 'in_use') as readonly JsonObject[])
        taken.set(JSON.stringify([repository, rule, textOf(each, 'value') ?? '']), textOf(each, 'ref') ?? null);
    }
  }
  return taken;
}

/** An identifier in parts as people write it. */
function shownValue(value: string): string {
  if (!value.startsWith('[')) return value;
  const parts: unknown = JSON.parse(value);
  return Array.isArray(parts) ? parts.filter((part) => part !== null).join('-') : value;
}
