// Small EAD documents for tests: states what matters, fills in what a resource needs, and sorts the records by kind.
import type { JsonObject } from '#domain/json.ts';
import { readEad } from '#domain/formats/ead/reading/read.ts';
import type { EadOptions, ImportRecord, ImportReport } from '#domain/formats/ead/reading/read.ts';

/** What one document gave. */
export type EadResult = {
  readonly records: readonly ImportRecord[];
  readonly resource: JsonObject;
  readonly components: readonly JsonObject[];
  readonly report: ImportReport;
  of(kind: string): readonly ImportRecord[];
  at(uri: unknown): JsonObject;
};

/** Parts of a document as XML text; what is left out is the least a resource needs. */
export type EadParts = {
  readonly header?: string;
  readonly did?: string;
  readonly notes?: string;
  readonly dsc?: string;
  readonly archdesc?: string;
};

/** Values of the lists the tests meet; a list not named here holds every value. */
const testLists: Readonly<Record<string, readonly string[]>> = {
  archival_record_level: [
    'class',
    'collection',
    'file',
    'fonds',
    'item',
    'otherlevel',
    'recordgrp',
    'series',
    'subfonds',
    'subgrp',
    'subseries',
  ],
  container_type: ['box', 'folder', 'reel'],
  date_certainty: ['approximate', 'inferred', 'questionable'],
  extent_extent_type: ['linear_feet', 'volumes'],
  file_version_use_statement: ['image-service'],
  file_version_xlink_actuate_attribute: ['none', 'onLoad', 'onRequest', 'other'],
  file_version_xlink_show_attribute: ['embed', 'new', 'none', 'other', 'replace'],
  instance_instance_type: ['audio', 'digital_object', 'mixed_materials'],
  language_iso639_2: ['eng', 'fre', 'ger', 'und'],
  linked_agent_archival_record_relators: ['cre', 'dnr'],
  name_source: ['ingest', 'local', 'naf'],
  note_orderedlist_enumeration: ['arabic', 'loweralpha'],
  resource_finding_aid_description_rules: ['dacs', 'rad'],
  resource_finding_aid_status: ['completed'],
  subject_source: ['aat', 'ingest', 'lcsh'],
};

/** Options for a reading; the import id is `0a`. */
export const testOptions: EadOptions = {
  repositoryUri: '/repositories/2',
  importId: '0a',
  isEnumerationValue: (list, value) => testLists[list]?.includes(value) ?? true,
};

/** The text of a document made from parts. */
export function eadDocument(parts: EadParts = {}): string {
  const did = parts.did ?? '';
  const filler = [
    did.includes('<unittitle') ? '' : '<unittitle>Papers</unittitle>',
    did.includes('<unitid') ? '' : '<unitid>MS 1</unitid>',
    did.includes('<unitdate') ? '' : '<unitdate normal="1900/1910" type="inclusive">1900-1910</unitdate>',
    did.includes('<extent') ? '' : '<physdesc><extent>3 volumes</extent></physdesc>',
  ].join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<ead xmlns="urn:isbn:1-931666-22-9" xmlns:xlink="http://www.w3.org/1999/xlink">
<eadheader>${parts.header ?? '<eadid>ms1</eadid>'}</eadheader>
<archdesc ${parts.archdesc ?? 'level="collection"'}><did>${filler}${did}</did>${parts.notes ?? ''}<dsc>${parts.dsc ?? ''}</dsc></archdesc></ead>`;
}

/** Text as the byte stream a reader takes; small chunks cut tags and characters in two. */
export async function* bytesOf(text: string | Uint8Array, size = 61): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Reads a document to its end. */
export async function readDocument(source: string | EadParts, options: Partial<EadOptions> = {}): Promise<EadResult> {
  const records: ImportRecord[] = [];
  const reading = readEad(bytesOf(typeof source === 'string' ? source : eadDocument(source)), {
    ...testOptions,
    ...options,
  });
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) records.push(step.value);
  const of = (kind: string): readonly ImportRecord[] => records.filter((record) => record.jsonmodel_type === kind);
  return {
    records,
    resource: of('resource')[0] ?? {},
    components: of('archival_object'),
    report: step.value,
    of,
    at: (uri) => records.find((record) => record.uri === uri) ?? {},
  };
}

/** The first component of a document whose `dsc` holds one component with this content. */
export async function readComponent(
  content: string,
  options: Partial<EadOptions> = {},
): Promise<EadResult & { readonly component: JsonObject }> {
  const result = await readDocument({ dsc: `<c level="file">${content}</c>` }, options);
  return { ...result, component: result.components[0] ?? {} };
}
