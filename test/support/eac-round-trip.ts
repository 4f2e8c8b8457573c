// An agent out as EAC-CPF and in again, without a database: refs are resolved among the records of the document.
import { agentEac } from '#domain/formats/eac/writing/agent.ts';
import { agentEac2 } from '#domain/formats/eac/writing/v2/agent.ts';
import type { ExportContext } from '#domain/formats/writing/context.ts';
import type { ImportReport } from '#domain/formats/reading/report.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import { readLabels } from '../../apps/worker/formats/labels.ts';
import { readFormat } from './import-reading.ts';
import { makeExportContext } from './make/export-context.ts';
import { referenceLists } from './make/lists.ts';

const lists = referenceLists();
const valuesByLabel = readLabels();

/** A context that shows all, with the labels of a new installation. */
const everythingOfAgents: ExportContext = makeExportContext({
  includesUnpublished: true,
  label: readValueLabels(),
});

/** The agent as a document of a version, as a caller who may see everything has it. */
export const exportAgent = (agent: JsonObject, version: 1 | 2): string =>
  (version === 2 ? agentEac2 : agentEac)(agent, [], everythingOfAgents);

/** The agents that a document describes, with what they refer to resolved, and the account of what was left out. */
export async function importAgents(
  xml: string | Uint8Array,
): Promise<{ readonly agents: readonly JsonObject[]; readonly report: ImportReport }> {
  const { records, report } = await readFormat('eac_xml', xml, {
    isEnumerationValue: (list, value) => lists.get(list)?.has(value) ?? false,
    enumerationValueForLabel: (list, text) => valuesByLabel[list]?.[text.toLowerCase()],
  });
  const byUri = new Map(records.map((record) => [record.uri, record]));
  const related = new Set(
    records
      .flatMap((record) => (Array.isArray(record['related_agents']) ? record['related_agents'] : []))
      .map((link) => (isObject(link) ? link['ref'] : undefined)),
  );
  return {
    agents: records
      .filter((record) => record.jsonmodel_type.startsWith('agent_') && !related.has(record.uri))
      .map((record) => resolved(record, (ref) => byUri.get(ref))),
    report,
  };
}

/** A record whose refs carry what they lead to. */
export function resolved(record: JsonObject, find: (ref: string) => JsonObject | undefined): JsonObject {
  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => walk(item));
    if (!isObject(value)) return value;
    const ref = value['ref'];
    const target = typeof ref === 'string' ? find(ref) : undefined;
    const walked = Object.fromEntries(Object.entries(value).map(([property, each]) => [property, walk(each ?? null)]));
    return target === undefined ? walked : { ...walked, _resolved: target };
  };
  // An object walks to an object.
  return walk(record) as JsonObject;
}

/** A document without addresses of records, and white space as readers see it; one line for each tag. */
export const essenceOfEac = (xml: string): readonly string[] =>
  xml
    .replace(/ (?:valueURI|xlink:href)="http:\/\/public\.example[^"]*"/g, '')
    .replace(/<recordId>[^<]*/g, '<recordId>')
    .replace(/\s+/g, ' ')
    .replace(/ ?(<[^>]*>) ?/g, '$1')
    .split(/(?=<)/);

// What one version has a place for and the other has not: attributes of XLink and the transliteration of a name (2010), the quality of a
// date and the licence of the record (2.0). Below: 2010 has no place for labels of notes, for sources and dates of parallel names, for the
// parts of a related agent's name, for a second place of a resource, for who is the parent in a family, nor for a record that was merged;
// it tells that a language or a script is unknown, where 2.0 says nothing.
const ofOneVersion: ReadonlySet<string> = new Set([
  'uri',
  'ref',
  'record_identifier',
  'xlink_title_attribute',
  'xlink_role_attribute',
  'xlink_arcrole_attribute',
  'file_version_xlink_show_attribute',
  'file_version_xlink_actuate_attribute',
  'date_certainty',
  'date_era',
  'date_calendar',
  'metadata_rights_declarations',
  'transliteration',
]);

/** An agent as far as both versions can tell it. Notes are compared by their words. */
export function toldByBoth(agent: JsonObject): Json {
  const walk = (value: Json, property: string): Json => {
    if (property === 'notes' && Array.isArray(value)) return wordsOf(value);
    if (property === 'related_agents' && Array.isArray(value))
      return value.map((link: Json) =>
        isObject(link)
          ? {
              relator: String(link['relator']).replace(/is_(?:child|parent)_of/, 'is_related_with'),
              description: link['description'] ?? null,
              relationship_uri: link['relationship_uri'] ?? null,
            }
          : link,
      );
    if (Array.isArray(value))
      return (property === 'places' ? value.slice(0, 1) : value).map((item: Json) => walk(item, ''));
    if (value === 'deleted_merged') return 'deleted_replaced';
    if (!isObject(value)) return typeof value === 'string' ? value.replace(/\s+/g, ' ') : value;
    // Words that repeat the note or the address stand for none where the schema of 2.0 wants some.
    const repeated = [value['descriptive_note'], value['file_uri']];
    const isParallel = String(value['jsonmodel_type']).startsWith('parallel_');
    return Object.fromEntries(
      Object.entries(value)
        .filter(
          ([name, each]) =>
            !ofOneVersion.has(name) &&
            !['und', 'Zyyy'].includes(String(each)) &&
            !(
              ['source_entry', 'citation'].includes(name) &&
              repeated.some((text) => typeof text === 'string' && text.replace(/\s+/g, ' ') === each)
            ) &&
            !(isParallel && ['source', 'use_dates'].includes(name)),
        )
        .map(([name, each]): [string, Json] => [name, walk(each ?? null, name)])
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  };
  return walk(agent, '');
}

/** All words of some notes, sorted; not their links, of which 2010 has more attributes and more places. */
function wordsOf(notes: Json): string {
  const texts: string[] = [];
  const collect = (value: Json, property: string): void => {
    if (typeof value === 'string' && !['jsonmodel_type', 'label', 'enumeration', 'persistent_id'].includes(property))
      texts.push(value);
    else if (Array.isArray(value)) value.forEach((item: Json) => collect(item, property));
    else if (isObject(value))
      Object.entries(value).forEach(([name, each]) => name === 'xlink' || collect(each ?? null, name));
  };
  collect(notes, '');
  return texts
    .join(' ')
    .replace(/<[^>]*>/g, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .toSorted()
    .join(' ');
}
