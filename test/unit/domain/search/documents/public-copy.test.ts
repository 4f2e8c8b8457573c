import { describe, expect, it } from 'vitest';
import { lexemes, matchNot } from '#domain/search/query/predicate.ts';
import { asPublicCopy, copiedUri, forPublic } from '#domain/search/documents/public-copy.ts';
import { any, every, word } from '#domain/search/query/tsquery.ts';

const uri = '/repositories/2/archival_objects/7';

it('shows a shared document to the public as the copy of the record', () => {
  const { id, stored } = asPublicCopy(
    JSON.stringify({ id: uri, uri, primary_type: 'archival_object', types: ['archival_object'], title: 'Diary' }),
  );
  expect(id).toBe(`${uri}#pui`);
  expect(JSON.parse(stored)).toEqual({
    id: `${uri}#pui`,
    uri,
    pui_parent_id: uri,
    primary_type: 'archival_object',
    types: ['archival_object', 'pui', 'pui_archival_object', 'pui_record', 'pui_only'],
    title: 'Diary',
  });
});

it('tells the uri of a copied record from an id', () => {
  expect([copiedUri(`${uri}#pui`), copiedUri(uri)]).toEqual([uri, null]);
});

describe('what the public asks', () => {
  it('finds shared documents by the types of copies, negated too', () => {
    const shared = any([word('x=types=pui'), word('p=shared')]);
    expect(forPublic(lexemes(every([word('diary'), word('x=types=pui')])))).toEqual(
      lexemes(every([word('diary'), shared])),
    );
    expect(forPublic(matchNot(lexemes(word('x=types=pui'))))).toEqual(lexemes({ kind: 'not', part: shared }));
    expect(forPublic(lexemes(word('x=types=resource')))).toEqual(lexemes(word('x=types=resource')));
  });

  it('finds a shared document by the id of its copy', () => {
    const byId = { kind: 'equals', column: 'id', value: `${uri}#pui` } as const;
    expect(forPublic(byId)).toEqual({
      kind: 'any',
      parts: [byId, { kind: 'every', parts: [lexemes(word('p=shared')), { ...byId, value: uri }] }],
    });
    expect(forPublic({ ...byId, value: uri })).toEqual({ ...byId, value: uri });
  });
});
