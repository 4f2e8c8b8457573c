// Labels of described material: accessions, components of resources and of digital objects (contract 3.4).
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import { identifierText } from '../identifiers/four-parts.ts';
import { datesText } from '../dates/label.ts';

/** `display_string` of an accession: its title, else its identifier. */
export function accessionLabel(body: JsonObject): string {
  return textOf(body, 'title') ?? identifierText(body);
}

/** `display_string` of an archival object: title, then dates; only dates where it has no title. */
export function archivalObjectLabel(body: JsonObject): string {
  return [textOf(body, 'title') ?? '', datesText(body)].filter((part) => part !== '').join(', ');
}

/** `display_string` of a digital object component: as an archival object's, with the label where it has no title. A label and its dates stand without separator, as clients know it. */
export function componentLabel(body: JsonObject): string {
  const title = textOf(body, 'title');
  const dates = datesText(body);
  if (title === undefined) return `${textOf(body, 'label') ?? ''}${dates}`;
  return dates === '' ? title : `${title}, ${dates}`;
}

/** The level as `ancestors` and trees show it: `other_level` where the level is otherlevel. Null where there is none. */
export function shownLevel(body: JsonObject): string | null {
  const level = textOf(body, 'level');
  return (level === 'otherlevel' ? textOf(body, 'other_level') : undefined) ?? level ?? null;
}
