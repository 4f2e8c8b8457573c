// Container labels of a collection as tab-separated rows (contract, exports 10): one for each container in each series.
import type { JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import { resolvedOf, identifierOf } from '../writing/context.ts';
import { plain } from '../writing/finding-aid.ts';
import type { TreeRecord } from '../writing/tree-stream.ts';

/** The refs that labels show. */
export const labelRefs: readonly string[] = [
  'repository',
  'top_container',
  'top_container::container_profile',
  'top_container::container_locations',
];

const columns = [
  'Repository Name',
  'Resource Title',
  'Resource Identifier',
  'Series Archival Object Title',
  'Archival Object Title',
  'Container Profile',
  'Top Container',
  'Top Container Barcode',
  'SubContainer 1',
  'SubContainer 2',
  'Current Location',
];

/**
 * The header, then a row for each container of a series at its first occurrence in reading order, in pieces of text. `blocks` have their
 * containers, with profiles and locations, resolved. Containers that the resource links itself are not listed. Memory holds the pairs seen.
 */
export async function* labelRows(
  resource: JsonObject,
  blocks: AsyncIterable<readonly TreeRecord[]>,
): AsyncGenerator<string> {
  yield row(columns);
  const about = [
    plain(textOf(resolvedOf(objectOf(resource, 'repository')), 'name')),
    plain(textOf(resource, 'title')),
    identifierOf(resource, '-'),
  ];
  const seen = new Set<string>();
  const path: JsonObject[] = [];
  for await (const block of blocks) {
    let text = '';
    for (const { depth, record } of block) {
      path.length = depth - 1;
      path.push({ uri: textOf(record, 'uri') ?? '', level: textOf(record, 'level') ?? '', title: titleOf(record) });
      const series = path.find((step) => step['level'] === 'series');
      for (const instance of objectsOf(record, 'instances')) {
        const sub = objectOf(instance, 'sub_container');
        const ref = textOf(objectOf(sub, 'top_container'), 'ref');
        const top = resolvedOf(objectOf(sub, 'top_container'));
        const key = `${textOf(series, 'uri') ?? ''} ${ref}`;
        if (top === undefined || seen.has(key)) continue;
        seen.add(key);
        text += row([
          ...about,
          textOf(series, 'title') ?? '',
          titleOf(record),
          plain(textOf(resolvedOf(objectOf(top, 'container_profile')), 'name')),
          typed(textOf(top, 'type'), textOf(top, 'indicator'), ': '),
          textOf(top, 'barcode') ?? '',
          typed(textOf(sub, 'type_2'), textOf(sub, 'indicator_2'), ':'),
          typed(textOf(sub, 'type_3'), textOf(sub, 'indicator_3'), ':'),
          currentLocation(top),
        ]);
      }
    }
    if (text !== '') yield text;
  }
}

const titleOf = (record: JsonObject): string => plain(textOf(record, 'title') ?? textOf(record, 'display_string'));

const typed = (type: string | undefined, indicator: string | undefined, between: string): string =>
  indicator === undefined ? '' : type === undefined ? indicator : `${type}${between}${indicator}`;

function currentLocation(top: JsonObject): string {
  const current = objectsOf(top, 'container_locations').find((location) => textOf(location, 'status') === 'current');
  return plain(textOf(resolvedOf(current), 'title'));
}

// A tab or line end inside a value would be one of the table.
const row = (values: readonly string[]): string =>
  `${values.map((value) => value.replace(/[\t\r\n]+/g, ' ')).join('\t')}\n`;
