// What the bulk routes of top containers change in a stored body (contract 6.7). An empty text takes the value away.
import type { Json, JsonObject } from '../json.ts';
import { objectsOf, textOf } from '../json.ts';

/** Gives the body that a container gets in place of the stored one. */
export type ContainerChange = (stored: JsonObject) => JsonObject;

const withText =
  (property: string, text: string): ContainerChange =>
  ({ [property]: _, ...rest }) =>
    text === '' ? rest : { ...rest, [property]: text };

/** Sets the id of holdings in a library system. */
export const withHoldingId = (text: string): ContainerChange => withText('ils_holding_id', text);

/** Sets the barcode. */
export const withBarcode = (text: string): ContainerChange => withText('barcode', text);

/** Sets the indicator; a container has to have one, so an empty text will be refused. */
export const withIndicator = (text: string): ContainerChange => withText('indicator', text);

/** Sets the profile by uri. */
export const withProfile =
  (uri: string): ContainerChange =>
  ({ container_profile: _, ...rest }) =>
    uri === '' ? rest : { ...rest, container_profile: { ref: uri } };

/** Puts the container at a location from `today` (YYYY-MM-DD) on: that replaces all current locations, the previous ones stay. */
export function withLocation(uri: string, today: string): ContainerChange {
  return (stored) => {
    const previous: readonly Json[] = objectsOf(stored, 'container_locations').filter(
      (place) => textOf(place, 'status') !== 'current',
    );
    const current: readonly Json[] =
      uri === '' ? [] : [{ jsonmodel_type: 'container_location', status: 'current', start_date: today, ref: uri }];
    return { ...stored, container_locations: [...current, ...previous] };
  };
}
