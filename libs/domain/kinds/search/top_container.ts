// The fields of the search documents of top containers (contract: behaviour-search.md section 9, `top_container`), and what others call one.
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import type { SearchField, SearchFields } from '../../search/declaration.ts';
import { list, nameOf, refOf } from '../../search/documents/reading.ts';

const series = (record: JsonObject): readonly JsonObject[] => objectsOf(record, 'series');
const publishedSeries = (record: JsonObject): readonly JsonObject[] =>
  series(record).filter((one) => one['publish'] === true);
const collections = (record: JsonObject): readonly JsonObject[] => objectsOf(record, 'collection');
const profile = (record: JsonObject): JsonObject | undefined => objectOf(record, 'container_profile');
const currentPlaces = (record: JsonObject): readonly JsonObject[] =>
  objectsOf(record, 'container_locations').filter((one) => textOf(one, 'status') === 'current');

const texts = (links: (record: JsonObject) => readonly JsonObject[], property: string): SearchField => ({
  read: (record) => list(links(record).flatMap((link) => textOf(link, property) ?? [])),
});
const uris = (links: (record: JsonObject) => readonly JsonObject[]): SearchField => ({
  read: (record) => list(links(record).flatMap(refOf)),
});
const written =
  (links: (record: JsonObject) => readonly JsonObject[]): SearchField['read'] =>
  (record): Json | undefined =>
    list(links(record).flatMap((one) => toWrittenForms(textOf(one, 'identifier') ?? '')));
const own = (property: string): SearchField => ({ read: (record) => list([textOf(record, property) ?? '']) });

/** The fields of top containers. */
export const topContainerFields: SearchFields = {
  title: { read: (record) => textOf(record, 'long_display_string') ?? textOf(record, 'display_string') },
  display_string: { read: (record) => textOf(record, 'display_string') },
  type_u_ssort: { read: (record) => textOf(record, 'type') },
  notes: own('internal_note'),
  series_uri_u_sstr: uris(series),
  series_title_u_sstr: texts(series, 'display_string'),
  // A container's series have one level nearly always; the first counts.
  series_level_u_sstr: { ...texts(series, 'level_display_string'), sortsBy: 'series_level_u_sstr' },
  series_identifier_stored_u_sstr: texts(series, 'identifier'),
  series_identifier_u_stext: {
    type: 'text',
    isMulti: true,
    words: { number: 8, weight: 'C' },
    read: written(series),
  },
  published_series_uri_u_sstr: uris(publishedSeries),
  published_series_title_u_sstr: texts(publishedSeries, 'display_string'),
  collection_uri_u_sstr: uris(collections),
  collection_display_string_u_sstr: texts(collections, 'display_string'),
  collection_identifier_stored_u_sstr: texts(collections, 'identifier'),
  collection_identifier_u_stext: {
    type: 'text',
    isMulti: true,
    words: { number: 9, weight: 'C' },
    read: written(collections),
  },
  container_profile_uri_u_sstr: { read: (record) => list(refOf(profile(record))) },
  container_profile_display_string_u_sstr: {
    read: (record) => list([textOf(objectOf(profile(record), '_resolved'), 'display_string') ?? '']),
  },
  has_location_u_sbool: { read: (record) => [objectsOf(record, 'container_locations').length > 0] },
  location_uri_u_sstr: uris(currentPlaces),
  location_uris: { type: 'string', isMulti: true, ...uris(currentPlaces) },
  location_display_string_u_sstr: { read: (record) => list(currentPlaces(record).flatMap(nameOf)) },
  exported_u_sbool: { read: (record) => [textOf(record, 'exported_to_ils') !== undefined] },
  // What holds something suppressed shows nothing of it, and is not empty all the same.
  empty_u_sbool: { read: (record, { holdsHidden }) => [collections(record).length === 0 && holdsHidden !== true] },
  indicator_u_icusort: { read: (record) => textOf(record, 'indicator') },
  top_container_u_typeahead_utext: {
    type: 'text',
    isMulti: true,
    words: { number: 10, weight: 'C' },
    read: (record) =>
      textOf(record, 'display_string')
        ?.toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, ''),
  },
  top_container_u_icusort: { read: (record) => textOf(record, 'display_string') },
  barcode_u_sstr: { ...own('barcode'), isCounted: false },
  barcode_u_icusort: { isCounted: false, read: (record) => textOf(record, 'barcode') },
  subcontainer_barcodes_u_sstr: { ...own('subcontainer_barcodes'), isCounted: false },
  created_for_collection_u_sstr: { ...own('created_for_collection'), isFoundFromStart: true },
};

/** What documents of others call a container: type and indicator alone. What its own reply shows takes a walk over all that is in it. */
export function plainContainerName(body: JsonObject): JsonObject {
  const type = textOf(body, 'type')
    ?.toLowerCase()
    .replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
  return {
    display_string: [type, textOf(body, 'indicator')].filter((part) => part !== undefined).join(' '),
  };
}

/** The ways in which people write an identifier: as it is, without punctuation, in one, letters and digits apart. */
function toWrittenForms(identifier: string): readonly string[] {
  const words = identifier
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return [identifier, words, words.replaceAll(' ', ''), words.replace(/(\p{N})(?=\p{L})|(\p{L})(?=\p{N})/gu, '$& ')];
}
