// The summary of a record for readers: terms and what they say. The page in HTML and the one in PDF show the same.
import type { JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import { resolvedOf, identifierOf } from '../writing/context.ts';
import { agentHeading, dateText, linkedAgents, linkedSubjects, plain } from '../writing/finding-aid.ts';
import type { FindingAidSetting } from '../writing/finding-aid.ts';

/** How a document writes a text without markup, one with inline markup, and a link to an address of the web. */
export type Wording = {
  text(text: string): string;
  inline(text: string): string;
  link(title: string, address: string): string;
};

/** Terms with what they say, in the order in which they are shown; terms of which the record says nothing are left out. */
export function readableTerms(
  record: JsonObject,
  setting: FindingAidSetting,
  wording: Wording,
): readonly (readonly [term: string, says: string])[] {
  const texts = (found: readonly string[]): string =>
    found
      .filter((text) => text !== '')
      .map(wording.text)
      .join('; ');
  const terms: (readonly [string, string])[] = [
    ['Identifier', wording.text(identifierOf(record) || plain(textOf(record, 'component_id')))],
    [
      'Dates',
      objectsOf(record, 'dates')
        .map((date) => wording.text(plain(dateText(date))))
        .join('; '),
    ],
    ['Creator', texts(linkedAgents(record, ['creator']).map(({ text }) => text))],
    ['Source', texts(linkedAgents(record, ['source']).map(({ text }) => text))],
    [
      'Extent',
      objectsOf(record, 'extents')
        .map((extent) => wording.inline(extentText(setting, extent)))
        .join('; '),
    ],
    [
      'Language',
      objectsOf(record, 'lang_materials')
        .map((material) => textOf(objectOf(material, 'language_and_script'), 'language'))
        .filter((code) => code !== undefined)
        .map((code) => wording.text(setting.label('language_iso639_2', code)))
        .join('; '),
    ],
    ['Containers', texts(objectsOf(record, 'instances').map((instance) => containerText(setting, instance)))],
    [
      'Digital objects',
      setting.flags.includeDaos
        ? objectsOf(record, 'instances')
            .map((instance) => objectText(wording, instance))
            .filter((text) => text !== '')
            .join('; ')
        : '',
    ],
    [
      'Headings',
      texts([
        ...linkedSubjects(record).map(({ text }) => text),
        ...linkedAgents(record, ['subject']).map(agentHeading),
      ]),
    ],
  ];
  return terms.filter(([, says]) => says !== '');
}

function extentText({ label }: FindingAidSetting, extent: JsonObject): string {
  const more = ['container_summary', 'physical_details', 'dimensions']
    .map((property) => textOf(extent, property))
    .filter((text) => text !== undefined);
  return [
    `${textOf(extent, 'number') ?? ''} ${label('extent_extent_type', textOf(extent, 'extent_type') ?? '')}`,
    ...more,
  ].join(', ');
}

function containerText({ label }: FindingAidSetting, instance: JsonObject): string {
  const sub = objectOf(instance, 'sub_container');
  const top = resolvedOf(objectOf(sub, 'top_container'));
  if (top === undefined) return '';
  const part = (type: string | undefined, indicator: string | undefined): string[] =>
    indicator === undefined ? [] : [type === undefined ? indicator : `${label('container_type', type)} ${indicator}`];
  return [
    ...part(textOf(top, 'type'), textOf(top, 'indicator')),
    ...[2, 3].flatMap((level) => part(textOf(sub, `type_${level}`), textOf(sub, `indicator_${level}`))),
  ].join(', ');
}

function objectText(wording: Wording, instance: JsonObject): string {
  const object = resolvedOf(objectOf(instance, 'digital_object'));
  if (object === undefined) return '';
  const title = plain(textOf(object, 'title'));
  const links = objectsOf(object, 'file_versions')
    .map((version) => textOf(version, 'file_uri') ?? '')
    .filter((address) => /^https?:\/\//i.test(address));
  return links.length === 0 ? wording.text(title) : links.map((address) => wording.link(title, address)).join(', ');
}
