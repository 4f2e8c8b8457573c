// Parts that rows of AtoM's descriptions and accessions have alike: containers, extents, other identifiers, access points.
import type { JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { leadingNumber } from '../../reading/leading-number.ts';
import type { AtomRow } from './sheet.ts';

/** The extent that a text states, as `3 linear feet`; undefined where it says more, or nothing that the list of types has. */
export function extentOf(context: ReadingContext, text: string): JsonObject | undefined {
  const { number, rest = '' } = leadingNumber(text) ?? {};
  const unit = /^\s+(\S[^\n]{0,60})$/.exec(rest)?.[1];
  const type = unit === undefined ? undefined : context.fixed('extent_extent_type', unit);
  if (number === undefined || type === undefined) return undefined;
  return { jsonmodel_type: 'extent', portion: 'whole', number, extent_type: type };
}

/** Instances with the containers of a row. `within` is what shares containers: the same name and type there is the same container. */
export function readContainers(context: ReadingContext, row: AtomRow, within: string): readonly JsonObject[] {
  return row.together('physicalObjectName', 'physicalObjectType', 'physicalObjectLocation').flatMap((values) => {
    const [name = '', type = '', location = ''] = values;
    if (name === '') {
      const rest = `${type} ${location}`.trim();
      if (rest !== '') context.report.dropText(row.line, 'physicalObjectName', rest, 'a container without a name');
      return [];
    }
    const ref = context.emitOnce('top_container', JSON.stringify([within, name, type, location]), {
      indicator: name,
      ...(type === '' ? {} : { type: context.controlled('container_type', type) }),
      ...(location === '' ? {} : { internal_note: `Location: ${location}` }),
    });
    return [
      {
        jsonmodel_type: 'instance',
        instance_type: 'mixed_materials',
        sub_container: { jsonmodel_type: 'sub_container', top_container: { ref } },
      },
    ];
  });
}

/** Identifiers of other sorts, under what they are called. */
export function otherIdentifiers(
  context: ReadingContext,
  row: AtomRow,
  names: { readonly values: string; readonly labels: string },
): readonly JsonObject[] {
  return row.together(names.values, names.labels).flatMap(([value = '', label = '']) => {
    if (value !== '') return [externalId(value, label || 'alternative identifier')];
    context.report.dropText(row.line, names.labels, label, 'the label of no identifier: there is none in its place');
    return [];
  });
}

// By characters: half of a surrogate pair could not be stored.
const firstOf = (text: string, most: number): string => [...text].slice(0, most).join('');

/** An identifier of another system. */
export const externalId = (id: string, source: string): JsonObject => ({
  jsonmodel_type: 'external_id',
  external_id: firstOf(id, 255),
  source: firstOf(source, 255),
});

/** A link to the subject of a term. */
export function subjectLink(context: ReadingContext, term: string, type: string): JsonObject {
  const vocabulary = context.vocabularyUri;
  const body = {
    source: context.controlled('subject_source', 'local'),
    terms: [{ jsonmodel_type: 'term', term, term_type: type, vocabulary }],
    vocabulary,
    publish: true,
  };
  return { ref: context.emitOnce('subject', JSON.stringify(body), body) };
}

/** The properties whose lists hold anything. */
export const filled = (lists: { readonly [property: string]: readonly JsonObject[] }): JsonObject =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
