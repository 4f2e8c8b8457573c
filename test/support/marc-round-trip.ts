// A bibliographic MARC record in and out, without a database: refs are resolved among the records of the document.
import type { ExportContext } from '#domain/formats/writing/context.ts';
import { resourceMarc } from '#domain/formats/marc/writing/described.ts';
import type { JsonObject } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import { readLabels } from '../../apps/worker/formats/labels.ts';
import { resolved } from './eac-round-trip.ts';
import { readFormat } from './import-reading.ts';
import { makeExportContext } from './make/export-context.ts';
import { testContext } from './make/prepare-context.ts';

const importing = testContext({ acceptTemporary: true, createEnumerationValues: true });
const valuesByLabel = readLabels();
const everything: ExportContext = makeExportContext({ includesUnpublished: true, label: readValueLabels() });

/** The resource of a record, with its names completed as saving does and what it refers to resolved. */
export async function importMarc(xml: string | Uint8Array): Promise<JsonObject> {
  const { records } = await readFormat('marcxml', xml, {
    isEnumerationValue: (list, value) => importing.enumerations.get(list)?.has(value) ?? false,
    enumerationValueForLabel: (list, text) => valuesByLabel[list]?.[text.toLowerCase()],
  });
  const complete = records.map((record): JsonObject => {
    const kind = kinds.get(record.jsonmodel_type);
    if (kind === undefined) throw new TypeError(`no kind ${record.jsonmodel_type}`);
    const { body } = prepare(kind, record, importing);
    return { ...(kind.generate?.(body, importing.generatedValues, null) ?? body), uri: record.uri };
  });
  const byUri = new Map(complete.map((record) => [record['uri'], record]));
  const resource = complete.find((record) => record['jsonmodel_type'] === 'resource');
  if (resource === undefined) throw new TypeError('no resource');
  return resolved(resource, (ref) => byUri.get(ref));
}

/** The resource as MARCXML. */
export const marcXmlOf = (resource: JsonObject): string => resourceMarc(resource, everything);

/** The fields of that, one by one, white space as readers see it. */
export const exportMarc = (resource: JsonObject): readonly string[] =>
  marcXmlOf(resource)
    .replace(/\s+/g, ' ')
    .split(/(?=<(?:leader|controlfield|datafield))/);
