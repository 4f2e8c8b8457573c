// A large batch import made as it is read: a resource with its components, boxes, subjects and agents, as JSON text in chunks.
// Nothing of it is ever held: any size may be streamed.
import type { JsonObject } from '#domain/json.ts';

const words =
  'correspondence ledger photographs minutes of the society for improving natural knowledge drafts maps and plans estate accounts'.split(
    ' ',
  );
const say = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, n) => words[(seed * 7 + n * 3 + ((seed >> 3) % 5)) % words.length] ?? '').join(' ');

const uriOf = (repoId: number, plural: string, n: number | string): string =>
  `/repositories/${repoId}/${plural}/import_be${n}`;

/** The temporary uri of the resource. */
const rootUri = (repoId: number, name: string): string => uriOf(repoId, 'resources', name);

/** A resource as a batch takes it, under the temporary uri that `rootUri` gives. */
export function resourceOf(repoId: number, name: string): JsonObject & { readonly uri: string } {
  return {
    jsonmodel_type: 'resource',
    uri: rootUri(repoId, name),
    title: `Records of ${name}`,
    id_0: name,
    level: 'collection',
    finding_aid_language: 'eng',
    finding_aid_script: 'Latn',
    extents: [{ jsonmodel_type: 'extent', portion: 'whole', number: '100', extent_type: 'linear_feet' }],
    dates: [{ jsonmodel_type: 'date', date_type: 'single', label: 'creation', begin: '1900' }],
    lang_materials: [
      {
        jsonmodel_type: 'lang_material',
        language_and_script: { jsonmodel_type: 'language_and_script', language: 'eng', script: 'Latn' },
      },
    ],
  };
}

/** How many components a series has, itself included. */
const inSeries = 1000;

/** The records of a finding aid of `count` components: a box for ten of them, 1,000 subjects, 500 people; each component some 1.8 KB. `perSeries` 1: all lie directly under the resource. */
export function* findingAid(repoId: number, name: string, count: number, perSeries = inSeries): Generator<JsonObject> {
  const subjects = Math.min(1000, count);
  const people = Math.min(500, count);
  yield resourceOf(repoId, name);
  for (let n = 0; n < subjects; n++) {
    yield {
      jsonmodel_type: 'subject',
      uri: `/subjects/import_be${n}`,
      vocabulary: '/vocabularies/1',
      source: 'local',
      terms: [
        {
          jsonmodel_type: 'term',
          term: `${say(n, 2)} ${n} ${name}`,
          term_type: 'topical',
          vocabulary: '/vocabularies/1',
        },
      ],
    };
  }
  for (let n = 0; n < people; n++) {
    yield {
      jsonmodel_type: 'agent_person',
      uri: `/agents/people/import_be${n}`,
      names: [
        {
          jsonmodel_type: 'name_person',
          primary_name: `Person ${n} ${name}`,
          rest_of_name: say(n, 1),
          name_order: 'inverted',
          source: 'local',
          sort_name_auto_generate: true,
        },
      ],
    };
  }
  for (let n = 0; n < count; n++) {
    if (n % 10 === 0)
      yield {
        jsonmodel_type: 'top_container',
        uri: uriOf(repoId, 'top_containers', n / 10),
        indicator: String(n / 10 + 1),
        type: 'box',
      };
    yield component(repoId, name, n, { subjects, people, perSeries });
  }
}

/** Each first one is a series, with the others below it. */
function component(
  repoId: number,
  name: string,
  n: number,
  { subjects, people, perSeries }: { readonly subjects: number; readonly people: number; readonly perSeries: number },
): JsonObject {
  const series = n - (n % perSeries);
  return {
    jsonmodel_type: 'archival_object',
    uri: uriOf(repoId, 'archival_objects', n),
    title: `${say(n, 6)} ${n}`,
    level: n === series ? 'series' : 'file',
    publish: true,
    resource: { ref: rootUri(repoId, name) },
    ...(n === series ? {} : { parent: { ref: uriOf(repoId, 'archival_objects', series) } }),
    position: n === series ? series / perSeries : (n % perSeries) - 1,
    dates: [
      {
        jsonmodel_type: 'date',
        date_type: 'inclusive',
        label: 'creation',
        begin: String(1800 + (n % 100)),
        end: String(1901 + (n % 90)),
        expression: `${1800 + (n % 100)}-${1901 + (n % 90)}`,
      },
    ],
    extents: [
      {
        jsonmodel_type: 'extent',
        portion: 'whole',
        number: String((n % 9) + 1),
        extent_type: 'folders',
        physical_details: say(n, 4),
      },
    ],
    instances: [
      {
        jsonmodel_type: 'instance',
        instance_type: 'mixed_materials',
        sub_container: {
          jsonmodel_type: 'sub_container',
          top_container: { ref: uriOf(repoId, 'top_containers', Math.floor(n / 10)) },
          type_2: 'folder',
          indicator_2: String((n % 10) + 1),
        },
      },
    ],
    subjects: [{ ref: `/subjects/import_be${n % subjects}` }, { ref: `/subjects/import_be${(n * 7 + 1) % subjects}` }],
    linked_agents: [{ ref: `/agents/people/import_be${n % people}`, role: 'creator', terms: [] }],
    notes: [
      {
        jsonmodel_type: 'note_multipart',
        type: 'scopecontent',
        label: 'Scope and Contents',
        subnotes: [{ jsonmodel_type: 'note_text', content: `${say(n, 60)}\n\n${say(n + 1, 30)}`, publish: true }],
        publish: true,
      },
      { jsonmodel_type: 'note_singlepart', type: 'physdesc', content: [say(n, 12)], publish: true },
    ],
  };
}

/** The same as the bytes of one JSON array, in chunks of some 64 KB. */
export async function* findingAidBytes(
  repoId: number,
  name: string,
  count: number,
  perSeries = inSeries,
): AsyncGenerator<Uint8Array> {
  let text = '[';
  let isFirst = true;
  for (const record of findingAid(repoId, name, count, perSeries)) {
    text += `${isFirst ? '' : ',\n'}${JSON.stringify(record)}`;
    isFirst = false;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}]`);
}
