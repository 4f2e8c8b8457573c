// Search fields of top containers.
import { expect, it } from 'vitest';
import { plainContainerName } from '#domain/kinds/search/top_container.ts';
import { readKindFields } from '#domain/search/documents/kind-fields.ts';

const record = { long_display_string: 'Box 1: Series', indicator: '1', barcode: '3', collection: [] };

it('reads title, indicator and barcode', () => {
  expect(readKindFields('top_container', record)).toMatchObject({
    title: 'Box 1: Series',
    indicator_u_icusort: '1',
    barcode_u_sstr: ['3'],
    empty_u_sbool: [true],
  });
});

it('reads every field of a container that holds something', () => {
  const held = (n: number, kind: string, more: object = {}) => ({
    ref: `/repositories/2/${kind}/${n}`,
    display_string: `Title ${n}`,
    identifier: `AB${n}-x`,
    ...more,
  });
  const place = (n: number, status: string) => ({
    ref: `/locations/${n}`,
    status,
    _resolved: { title: `Place ${n}` },
  });
  const full = {
    display_string: 'Box 7: 3',
    long_display_string: 'Papers, Series 1, Box 7: 3',
    type: 'box',
    indicator: '7',
    barcode: '3',
    internal_note: 'Fragile',
    subcontainer_barcodes: 's1 s2',
    created_for_collection: '/repositories/2/resources/1',
    exported_to_ils: '2020-01-01T00:00:00Z',
    series: [
      held(1, 'archival_objects', { level_display_string: 'Series', publish: true }),
      held(2, 'archival_objects', { level_display_string: 'Series', publish: false }),
    ],
    collection: [held(3, 'resources')],
    container_profile: { ref: '/container_profiles/4', _resolved: { display_string: 'Hollinger' } },
    container_locations: [place(5, 'current'), place(6, 'previous')],
  };
  const written = (n: number) => [`AB${n}-x`, `AB${n} x`, `AB${n}x`, `AB ${n} x`];
  expect(readKindFields('top_container', full)).toEqual({
    title: 'Papers, Series 1, Box 7: 3',
    display_string: 'Box 7: 3',
    type_u_ssort: 'box',
    notes: ['Fragile'],
    series_uri_u_sstr: ['/repositories/2/archival_objects/1', '/repositories/2/archival_objects/2'],
    series_title_u_sstr: ['Title 1', 'Title 2'],
    series_level_u_sstr: ['Series'],
    series_identifier_stored_u_sstr: ['AB1-x', 'AB2-x'],
    series_identifier_u_stext: [...written(1), ...written(2)],
    published_series_uri_u_sstr: ['/repositories/2/archival_objects/1'],
    published_series_title_u_sstr: ['Title 1'],
    collection_uri_u_sstr: ['/repositories/2/resources/3'],
    collection_display_string_u_sstr: ['Title 3'],
    collection_identifier_stored_u_sstr: ['AB3-x'],
    collection_identifier_u_stext: written(3),
    container_profile_uri_u_sstr: ['/container_profiles/4'],
    container_profile_display_string_u_sstr: ['Hollinger'],
    has_location_u_sbool: [true],
    location_uri_u_sstr: ['/locations/5'],
    location_uris: ['/locations/5'],
    location_display_string_u_sstr: ['Place 5'],
    exported_u_sbool: [true],
    empty_u_sbool: [false],
    indicator_u_icusort: '7',
    top_container_u_typeahead_utext: 'box73',
    top_container_u_icusort: 'Box 7: 3',
    barcode_u_sstr: ['3'],
    barcode_u_icusort: '3',
    subcontainer_barcodes_u_sstr: ['s1 s2'],
    created_for_collection_u_sstr: ['/repositories/2/resources/1'],
  });
});

it('says of one that holds nothing and stands nowhere that it does', () => {
  expect(readKindFields('top_container', { display_string: '1', indicator: '1' })).toEqual({
    title: '1',
    display_string: '1',
    has_location_u_sbool: [false],
    exported_u_sbool: [false],
    empty_u_sbool: [true],
    indicator_u_icusort: '1',
    top_container_u_typeahead_utext: '1',
    top_container_u_icusort: '1',
  });
});

it('takes no container for empty that holds what it does not show', () => {
  expect(readKindFields('top_container', record, { holdsHidden: true })).toMatchObject({ empty_u_sbool: [false] });
});

it.each([
  [{ type: 'box', indicator: '1' }, 'Box 1'],
  [{ type: 'half_box', indicator: 'A' }, 'Half_Box A'],
  [{ type: 'OVERSIZE box', indicator: '2' }, 'Oversize Box 2'],
  [{ indicator: '3' }, '3'],
])('is called by others, of %j, %s', (body, name) => {
  expect(plainContainerName(body)).toEqual({ display_string: name });
});

it('finds an identifier with punctuation around it as people write it without', () => {
  const series = [{ ref: '/repositories/2/archival_objects/1', display_string: 'Title', identifier: '(AB 1.)' }];
  expect(readKindFields('top_container', { ...record, series })).toMatchObject({
    series_identifier_u_stext: ['(AB 1.)', 'AB 1', 'AB1'],
  });
});
