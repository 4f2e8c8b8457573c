// Which columns of a sheet to load say something (contract trees-and-jobs 6.7): of the others nothing is made, so whoever sent the sheet is told.
import { objectColumns, noteColumns } from './digital-objects.ts';
import { digitalObjectCodes } from './digital-object.ts';
import { containerCodes } from './containers.ts';
import { recordColumns } from './archival-objects.ts';
import { agentColumns } from './facts.ts';
import { dateColumns, extentColumns, languageColumns, restrictionCodes } from './parts.ts';
import type { LoadType } from './plan.ts';
import type { PartColumns } from './row-reader.ts';

const codesOf = (columns: PartColumns): readonly string[] => columns.map(([, code]) => code);

/** Columns that stand once. The templates have `collection_id` and `ref_id` for people to read. */
const single: { readonly [type in LoadType]: ReadonlySet<string> } = {
  ao: new Set([
    ...['collection_id', 'ead', 'res_uri', 'ref_id', 'hierarchy'],
    ...codesOf(recordColumns),
    ...digitalObjectCodes,
    ...restrictionCodes,
  ]),
  digital: new Set([
    ...['collection_id', 'ead', 'res_uri', 'ref_id', 'ao_ref_id', 'ao_uri', 'publish'],
    ...codesOf(objectColumns),
    ...digitalObjectCodes,
  ]),
};

/** Columns that repeat with `_2`, `_3`… */
const repeated: { readonly [type in LoadType]: ReadonlySet<string> } = {
  ao: new Set([
    ...codesOf(dateColumns),
    ...codesOf(extentColumns),
    ...codesOf(languageColumns),
    ...['n_langmaterial', 'p_langmaterial'],
    ...containerCodes,
  ]),
  digital: new Set([
    ...codesOf(dateColumns),
    ...codesOf(extentColumns),
    ...codesOf(noteColumns),
    ...['note_publish', 'note_content'],
  ]),
};

const heading = new RegExp(
  `^(?:(?:${agentColumns.map(([prefix]) => prefix).join('|')})_agent_(?:record_id|header|role|relator)_[1-9]\\d?|subject_[1-9]\\d?_(?:record_id|term|type|source))$`,
);

/** The codes of a sheet that no row is asked for, in their order. */
export function unknownColumns(type: LoadType, codes: readonly string[]): readonly string[] {
  const all = new Set(codes);
  // A flag or label belongs to the note of its name; languages have notes of their own.
  const isOfNote = (code: string): boolean => {
    const name = /^[nlp]_([a-z]+(?:_\d+)?)$/.exec(code)?.[1];
    return type === 'ao' && name !== undefined && !name.startsWith('langmaterial') && all.has(`n_${name}`);
  };
  return codes.filter(
    (code) =>
      !single[type].has(code) &&
      !repeated[type].has(code) &&
      !repeated[type].has(code.replace(/_(?:[2-9]|[1-9]\d)$/, '')) &&
      !heading.test(code) &&
      !isOfNote(code),
  );
}
