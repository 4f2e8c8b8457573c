// The `did` of one component in a finding aid: what it has of most things, and what it has where there is nothing to tell.
import type { JsonObject } from '#domain/json.ts';
import type { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { exportFaults } from '../export-faults.ts';
import { makeExportContext, personLink } from './export-context.ts';

/** A component with one of most things that a `did` shows, some of them not published. */
export const fullComponent: JsonObject = {
  jsonmodel_type: 'archival_object',
  uri: '/repositories/2/archival_objects/7',
  title: 'Letters  and\nmore',
  level: 'file',
  publish: true,
  component_id: 'C 7',
  ark_name: { current: 'https://x.org/ark:/1/b', previous: ['https://x.org/ark:/1/a'] },
  external_ids: [
    { external_id: 'x1', source: 'old' },
    { external_id: '/elsewhere/1', source: 'aspace_uri' },
    { external_id: '', source: 'none' },
  ],
  lang_materials: [
    { language_and_script: { language: 'eng', script: 'Latn' } },
    { language_and_script: { language: 'ger' } },
    {
      notes: [
        { jsonmodel_type: 'note_langmaterial', type: 'langmaterial', publish: true, content: ['Mostly English.'] },
      ],
    },
  ],
  extents: [
    { portion: 'whole', number: '2', extent_type: 'linear_feet', container_summary: '3 boxes', dimensions: '1 x 2' },
    { portion: 'part', number: '5', extent_type: 'reels', physical_details: 'brittle' },
  ],
  dates: [
    { label: 'creation', date_type: 'inclusive', begin: '1900', end: '1901', certainty: 'approximate', publish: true },
    { label: 'copyright', date_type: 'single', expression: 'about 1905', publish: true },
  ],
  linked_agents: [
    personLink({}, { role: 'creator', relator: 'aut' }),
    personLink({ sort_name: 'Given, By' }, { role: 'source' }),
    personLink({ sort_name: 'Spoken, Of' }, { role: 'subject' }),
    personLink({ sort_name: 'Hidden' }, { role: 'creator' }, { publish: false }),
  ],
};

/** The component's `did` in a document of the writer, element by element; throws where the document is not valid. */
export async function didOf(
  format: 'EAD 2002' | 'EAD3',
  writer: typeof writeEad2002,
  component: JsonObject,
  {
    arks = false,
    ...flags
  }: { readonly includeUnpublished?: boolean; readonly includeUris?: boolean; readonly arks?: boolean } = {},
): Promise<readonly string[]> {
  const resource = { title: 'Papers', level: 'collection', id_0: 'A', publish: true };
  const blocks = (async function* () {
    yield [{ depth: 1, record: component }];
  })();
  const setting = {
    flags: { includeUnpublished: false, includeDaos: false, includeUris: false, numberedComponents: false, ...flags },
    label: makeExportContext().label,
    product: 'Muniment',
    createdAt: '2026-01-01 00:00:00 UTC',
    includeArks: arks,
    deepest: 1,
  };
  const xml = (await Array.fromAsync(writer(resource, blocks, setting))).join('');
  const faults = exportFaults(format, xml);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const did = /<c [^>]*>\s*<did>(.*?)<\/did>/s.exec(xml)?.[1] ?? '';
  return did
    .split(
      /(?=<(?:unittitle|unitid|langmaterial|physdesc\b|physdescstructured|unitdate|unitdatestructured|origination|physdescset)\b)/,
    )
    .map((part) => part.trim());
}
