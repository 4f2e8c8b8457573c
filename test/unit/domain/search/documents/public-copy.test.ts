import { describe, expect, it } from 'vitest';
import { lexemes, matchNot } from '#domain/search/query/predicate.ts';
import { asPublicCopy, copiedUri, forPublic } from '#domain/search/documents/public-copy.ts';
import type { Expansion, LexemeQuery } from '#domain/search/query/tsquery.ts';
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

  const shared = lexemes(word('p=shared'));
  const byId = { kind: 'equals', column: 'id', value: uri } as const;
  const isCopied = { kind: 'every', parts: [shared, byId] };

  it('finds a shared document by the id of its copy, and a copy by that of its record', () => {
    const copy = { ...byId, value: `${uri}#pui` };
    expect(forPublic(copy)).toEqual({ kind: 'any', parts: [copy, isCopied] });
    expect(forPublic(byId)).toEqual({ kind: 'any', parts: [byId, copy] });
    const byUri = { ...byId, column: 'uri' } as const;
    expect(forPublic(byUri)).toEqual(byUri);
  });

  it('finds both by how their ids begin', () => {
    const starts = (value: string) => ({ kind: 'starts', column: 'id', value }) as const;
    expect(forPublic(starts(uri))).toEqual(starts(uri));
    for (const end of ['#', '#p', '#pui'])
      expect(forPublic(starts(`${uri}${end}`))).toEqual({ kind: 'any', parts: [starts(`${uri}${end}`), isCopied] });
    expect(forPublic(starts(`${uri}#x`))).toEqual(starts(`${uri}#x`));
  });

  it('finds both by a range of ids', () => {
    const range = (from: string, to: string) =>
      ({
        kind: 'compare',
        column: 'id',
        field: 'id',
        from: { value: from, isIncluded: true },
        to: { value: to, isIncluded: true },
      }) as const;
    const boundsOf = (from: string, to: string): unknown => {
      const found = JSON.parse(JSON.stringify(forPublic(range(from, to))));
      expect(found.parts[0].parts).toContainEqual(range(from, to));
      const { from: least, to: most } = found.parts[1].parts.find((part: any) => part.kind === 'compare');
      return [least.value, least.isIncluded, most.value, most.isIncluded];
    };
    // A copy comes behind its record, and before all that begins with its id.
    expect(boundsOf(uri, uri)).toEqual([uri, true, uri, false]);
    expect(boundsOf(`${uri}#pui`, `${uri}#pui`)).toEqual([uri, true, uri, true]);
    expect(boundsOf(`${uri}#q`, `${uri}#q`)).toEqual([uri, false, uri, true]);
  });

  it('finds both by the record that they are copies of, wherever that is asked', () => {
    const parent = word(`x=pui_parent_id=${uri}`);
    const both = { kind: 'any', parts: [lexemes(parent), isCopied] };
    expect(forPublic(lexemes(parent))).toEqual(both);
    expect(forPublic(lexemes({ kind: 'not', part: parent }))).toEqual({ kind: 'not', part: both });
    expect(forPublic(lexemes(every([word('diary'), parent])))).toEqual({
      kind: 'every',
      parts: [lexemes(word('diary')), both],
    });
    const start = { kind: 'word', word: 'x=pui_parent_id=/repositories/2', isPrefix: true } as const;
    expect(forPublic(lexemes(start))).toEqual({
      kind: 'any',
      parts: [
        lexemes(start),
        { kind: 'every', parts: [shared, { kind: 'starts', column: 'id', value: '/repositories/2' }] },
      ],
    });
    expect(forPublic(lexemes(word('h=pui_parent_id')))).toEqual(
      lexemes(any([word('h=pui_parent_id'), word('p=shared')])),
    );
  });

  it('finds shared documents by patterns and ranges of types', () => {
    const asked = (expansion: Expansion): LexemeQuery => ({ kind: 'expand', expansion });
    const finds = (query: LexemeQuery): boolean => {
      const found = forPublic(lexemes(query));
      expect([lexemes(query), lexemes(any([query, word('p=shared')]))]).toContainEqual(found);
      return found.kind === 'lexemes' && found.query.kind === 'any';
    };
    const like = (pattern: string): boolean =>
      finds(asked({ kind: 'pattern', prefix: 'x=types=', like: `x=types=${pattern}` }));
    expect(['pui\\_arch%', '%record', '%\\_%', 'pu_', '%p%u%i%', 'p%'].map(like)).toEqual(Array(6).fill(true));
    expect(['pui\\_res%', '%records', 'pu', 'p__', '%'.repeat(200) + 'z'].map(like)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    const start = (text: string): boolean => finds({ kind: 'word', word: `x=types=${text}`, isPrefix: true });
    expect(['pui', 'pui_arch', 'resource'].map(start)).toEqual([true, true, false]);
    const range = (from: string, to: string, isIncluded = true): boolean =>
      finds(
        asked({
          kind: 'between',
          prefix: 'x=types=',
          from,
          to,
          includesFrom: isIncluded,
          includesTo: isIncluded,
          isNumeric: false,
        }),
      );
    expect([range('p', 'q'), range('pui', 'pui'), range('pui', 'pui', false), range('q', 'z')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    // Of other fields than types nothing changes.
    expect(finds(asked({ kind: 'pattern', prefix: 't=', like: 't=pui%' }))).toBe(false);
  });
});
