// Parts of records that the readers of several formats make alike: lists without repeats, relators, headings of several parts, stand-ins.
import type { JsonObject } from '../../json.ts';
import { collapseSpace } from '../xml/tree.ts';
import type { ReadingContext } from './context.ts';

/** Adds an object to a list unless an equal one was added before (contract: exact duplicates inside one record are dropped); `seen` keeps the texts of those. */
export function pushOnce(list: JsonObject[], object: JsonObject, seen: Set<string>): void {
  const text = JSON.stringify(object);
  if (seen.has(text)) return;
  seen.add(text);
  list.push(object);
}

/** The code of a relator: as given, by label, or from a form such as `Creator (cre)`. */
export function toRelator(context: ReadingContext, text: string): string {
  const list = 'linked_agent_archival_record_relators';
  const code = /\((\w+)\)$/.exec(text)?.[1];
  if (code !== undefined && context.options.isEnumerationValue(list, code)) return code;
  return context.controlled(list, text);
}

/** The parts of a heading as one text: a comma between two, unless the first ends in punctuation. */
export function joinParts(parts: readonly string[]): string {
  return parts
    .map((part) => collapseSpace(part).trim())
    .filter((part) => part !== '')
    .reduce(
      (text, part) =>
        text === '' ? part : /[,.;:()]$/.test(text) || /^[(.,;:]/.test(part) ? `${text} ${part}` : `${text}, ${part}`,
      '',
    );
}

/** What stands in for the extent a resource must have where its source counts nothing: the collection itself. */
export function extentStandIn(context: { controlled(list: string, text: string): string }): JsonObject {
  return {
    jsonmodel_type: 'extent',
    portion: 'whole',
    number: '1',
    extent_type: context.controlled('extent_extent_type', 'collection'),
  };
}
