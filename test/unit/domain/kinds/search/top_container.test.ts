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
