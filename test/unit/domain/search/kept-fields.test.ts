// What an index knows of every field that documents of the harbour board's records have, and of names that queries may use besides: its type, whether it
// may have several values, how it is found, sorted and counted.
import { expect, it } from 'vitest';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { indexedKinds } from '#domain/search/declared.ts';
import { isAnswered } from '#domain/search/documents/field-values.ts';
import {
  fieldsOfWeight,
  findField,
  findSortField,
  hasWords,
  holdsIdentifiers,
  isAddress,
  isFacet,
  isFoundFromStart,
  textFieldPrefixes,
  toExactValue,
  unlistedFields,
} from '#domain/search/fields.ts';
import { harbourRecords, resolvedReplyOf } from '#test/support/harbour.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const documented = harbourRecords
  .filter(({ kind }) => indexedKinds.has(kind.name))
  .flatMap((record) => toSearchDocuments(record.kind.name, resolvedReplyOf(record)))
  .flatMap(({ stored, sorts }) => [...Object.keys(stored), ...Object.keys(sorts)]);
const others =
  'title title_ws title_sort identifier_ws identifier_sort creators_text subjects_text agents_text fullrecord fullrecord_published keyword published years year_sort repo_sort ' +
  'position_int_sort exclude_by_default root_uri node_uri id uri parent_id parent_title parent_type job_type report_type files job_data queue_position is_user ' +
  'any_u_ustr any_u_sstr any_u_utext any_u_stext any_u_ssort any_u_sort any_u_icusort any_u_sint any_u_uint any_u_sdate any_u_udate any_u_sbool any_u_ubool any_u_sortdate any_u_ssortdate ' +
  'any_u_typeahead_utext any_enum_s any_relator_sort any_int_sort any 1_u_sstr any-u_sstr __proto__ constructor';
const names = [...new Set([...documented, ...others.split(' ')])].filter((name) => name !== 'json').sort();

it('is as it is kept', async () => {
  const fields = names.map((name) => {
    const field = findField(name);
    if (field === undefined) return [name, findSortField(name)?.name ?? 'is no field'];
    const flags = { hasWords, holdsIdentifiers, isAddress, isFacet, isFoundFromStart };
    const held = Object.entries(flags).flatMap(([flag, holds]) => (holds(field) ? [flag] : []));
    return [
      name,
      {
        ...field,
        sortsBy: findSortField(name)?.name ?? null,
        is: [...held, ...(isAnswered(name) ? ['isAnswered'] : [])].join(' '),
      },
    ];
  });
  const weights = { B: fieldsOfWeight('B'), C: fieldsOfWeight('C') };
  await expectKept(
    keptText(
      {
        fields: Object.fromEntries(fields),
        weights,
        prefixes: textFieldPrefixes(),
        unlisted: [...unlistedFields].sort(),
      },
      2,
    ),
    'search-fields.json',
  );
});

it('compares values whole as their types say', () => {
  const exact = (name: string, value: string): string => {
    const field = findField(name);
    return field === undefined ? 'no field' : toExactValue(field, value);
  };
  expect([
    exact('title_sort', 'A-<b>B</b>, 2!'),
    exact('identifier_sort', 'MS-2'),
    exact('create_time', '2024-02-29T10:11:12.999+01:00'),
    exact('create_time', 'soon'),
    exact('publish', 'TRUE'),
    exact('level', 'File'),
  ]).toEqual(['a b 0000000002', 'ms-0000000002', '2024-02-29T09:11:12Z', 'soon', 'true', 'File']);
});
