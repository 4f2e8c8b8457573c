// Labels of places and containers: locations, their profiles, container profiles, top containers (contract 3.4, 6.7).
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';

const isText = (part: string | undefined): part is string => part !== undefined && part !== '';

/** `title` of a location: `building[, floor][, room][, area] [barcode, classification, label: indicator…]`. The brackets are always there. */
export function locationTitle(body: JsonObject): string {
  const places = ['building', 'floor', 'room', 'area'].map((property) => textOf(body, property)).filter(isText);
  const coordinates = [1, 2, 3].map((number) => coordinateText(body, number));
  const details = [textOf(body, 'barcode'), textOf(body, 'classification'), ...coordinates].filter(isText);
  return `${places.join(', ')} [${details.join(', ')}]`;
}

/** `label: indicator`. A label alone keeps its colon and blank, as clients know it; an indicator alone says nothing (contract behaviour-labels.md 1). */
function coordinateText(body: JsonObject, number: number): string | undefined {
  const label = textOf(body, `coordinate_${number}_label`);
  return label === undefined ? undefined : `${label}: ${textOf(body, `coordinate_${number}_indicator`) ?? ''}`;
}

/** `display_string` of a container profile: `name [Dd, Hh, Ww units] extent measured by dimension`, with raw codes. */
export function containerProfileLabel(body: JsonObject): string {
  const part = (property: string): string => textOf(body, property) ?? '';
  return `${part('name')} [${part('depth')}d, ${part('height')}h, ${part('width')}w ${part('dimension_units')}] extent measured by ${part('extent_dimension')}`;
}

// English words of the list dimension_units, which cannot be edited (contract labels.en.json).
const unitLabels: { readonly [unit: string]: string } = {
  inches: 'Inches',
  feet: 'Feet',
  yards: 'Yards',
  millimeters: 'Millimeters',
  centimeters: 'Centimeters',
  meters: 'Meters',
};

/** `display_string` of a location profile: `name [Dd, Hh, Ww Units]` where all three sizes are given, else its name. */
export function locationProfileLabel(body: JsonObject): string {
  const [depth, height, width] = ['depth', 'height', 'width'].map((property) => textOf(body, property));
  const name = textOf(body, 'name') ?? '';
  if (depth === undefined || height === undefined || width === undefined) return name;
  const unit = textOf(body, 'dimension_units') ?? '';
  return `${name} [${depth}d, ${height}h, ${width}w${unit === '' ? '' : ` ${unitLabels[unit] ?? unit}`}]`;
}

/** `<Type> <indicator>` of a top container; without a type the leading blank stays, as clients know it. */
function containerText(body: JsonObject): string {
  const type = textOf(body, 'type') ?? '';
  return `${type.slice(0, 1).toUpperCase()}${type.slice(1)} ${textOf(body, 'indicator') ?? ''}`;
}

/** `display_string` of a top container: `<Type> <indicator>: <series> [Barcode: b]`; the colon goes where nothing follows. `series` is the text of its series, or empty. */
export function topContainerLabel(body: JsonObject, series = ''): string {
  const barcode = textOf(body, 'barcode');
  const after = [series, barcode === undefined ? '' : `[Barcode: ${barcode}]`].filter(isText).join(' ');
  return after === '' ? containerText(body) : `${containerText(body)}: ${after}`;
}
