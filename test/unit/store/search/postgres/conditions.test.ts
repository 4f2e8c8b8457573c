// What documents are asked for: the conditions of predicates, and of who may see what. What such conditions find is asked of a database elsewhere
// (queries.test.ts, visibility.test.ts).
import { describe, expect, it } from 'vitest';
import { lexemes, matchAny, matchEvery, matchNot } from '#domain/search/query/predicate.ts';
import type { Predicate } from '#domain/search/query/predicate.ts';
import { any, every, expansionKey, word } from '#domain/search/query/tsquery.ts';
import type { Expansion, LexemeQuery } from '#domain/search/query/tsquery.ts';
import { sql } from '#store/connection/sql.ts';
import type { Fragment } from '#store/connection/sql.ts';
import {
  toColumnCondition,
  toCondition,
  toScopeCondition,
  toVisibleCondition,
  toWhole,
} from '#store/search/postgres/conditions.ts';
import type { Hidden } from '#store/search/postgres/hidden.ts';
import type { Visibility } from '#store/search/port.ts';

/** A condition with its values in their places. */
const told = ({ sql: text, values }: Fragment): string =>
  text.replace(/\$(?:slonik_)?(\d+)/g, (_, place: string) => JSON.stringify(values[Number(place) - 1]));

const nothing = new Map<string, readonly string[]>();
const asked = (predicate: Predicate): string => told(toCondition(predicate, nothing));
const equals = (column: 'uri' | 'id', value: string): Predicate => ({ kind: 'equals', column, value });
type Compare = Extract<Predicate, { kind: 'compare' }>;
const compared = (column: Compare['column'], bounds: Pick<Compare, 'from' | 'to'>): string =>
  asked({ kind: 'compare', column, field: 'level', ...bounds });

describe('a predicate', () => {
  it('asks for lexemes, for all or any of its parts, or for none of it', () => {
    expect(asked(lexemes(word('a')))).toBe(`d.tsv @@ "'a'"::tsquery`);
    expect(asked(matchNot(lexemes(word('a'))))).toBe(`d.tsv @@ "('v=all' & !'a')"::tsquery`);
    expect(asked(matchNot(equals('uri', '/b')))).toBe('(d."uri" = "/b") IS NOT TRUE');
    const parts = [lexemes(word('a')), equals('uri', '/b')];
    expect(asked({ kind: 'every', parts })).toBe(`(d.tsv @@ "'a'"::tsquery AND d."uri" = "/b")`);
    expect(asked({ kind: 'any', parts })).toBe(`(d."uri" = ANY(["/b"]::"text"[]) OR d.tsv @@ "'a'"::tsquery)`);
  });

  it('asks for many addresses by one look-up in each column', () => {
    const addresses = [equals('uri', '/a'), equals('id', '/b'), equals('uri', '/c')];
    expect(asked(matchAny(addresses))).toBe(`(d."uri" = ANY(["/a","/c"]::"text"[]) OR d."id" = ANY(["/b"]::"text"[]))`);
  });

  it('asks for beginnings as they are written, and for words near each other', () => {
    expect(asked({ kind: 'starts', column: 'uri', value: '/a_b%' })).toBe(String.raw`d."uri" LIKE "/a\\_b\\%%"`);
    expect(asked({ kind: 'near', words: ['a', 'b'], places: 4 })).toBe(`search_near(d.tsv, ["a","b"]::"text"[], 4)`);
  });

  it('compares times, sort keys and addresses, each by its own order, with its bounds or without', () => {
    const [from, to] = [
      { value: '1', isIncluded: true },
      { value: '2', isIncluded: true },
    ];
    const [behind, before] = [
      { value: '1', isIncluded: false },
      { value: '2', isIncluded: false },
    ];
    expect(compared('create_time', { from, to })).toBe(
      `(d."create_time" >= "1"::timestamptz AND d."create_time" <= "2"::timestamptz)`,
    );
    expect(compared('user_mtime', { from: behind })).toBe(`(d."user_mtime" > "1"::timestamptz)`);
    expect(compared('system_mtime', { to: before })).toBe(`(d."system_mtime" < "2"::timestamptz)`);
    expect(compared('title_sort', { from: behind, to: before })).toBe(
      `(d."title_sort" > "1"::text AND d."title_sort" < "2"::text)`,
    );
    expect(compared('inSorts', { from, to: before })).toBe(
      `((d.sorts->>"level") COLLATE "C" >= "1"::text AND (d.sorts->>"level") COLLATE "C" < "2"::text)`,
    );
    expect(compared('uri', { from, to })).toBe(`(d."uri" ~>=~ "1"::text AND d."uri" ~<=~ "2"::text)`);
    expect(compared('id', { from: behind, to: before })).toBe(`(d."id" ~>~ "1"::text AND d."id" ~<~ "2"::text)`);
  });
});

describe('a choice of many words', () => {
  const pattern: Expansion = { kind: 'pattern', prefix: '', like: 'w%' };
  const words = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `w${index}`);
  const ofWords = (count: number, query: LexemeQuery = { kind: 'expand', expansion: pattern }): string =>
    told(toCondition(lexemes(query), new Map([[expansionKey(pattern), words(count)]])));
  /** The words of each scan. */
  const scansIn = (text: string): readonly (readonly string[])[] =>
    [...text.matchAll(/SELECT d\.ctid FROM search_doc d WHERE d\.tsv @@ "(.*?)"::tsquery/g)].map(([, one = '']) =>
      [...one.matchAll(/'(\w+)'/g)].map(([, found = '']) => found),
    );

  it('is asked for at once up to 48 words', () => {
    expect(ofWords(48)).toMatch(/^d\.tsv @@ "[^"]*"::tsquery$/);
    expect(ofWords(49)).toMatch(/^d\.ctid = ANY\(ARRAY\(/);
  });

  it('is asked for sixteen by sixteen above that, each word once', () => {
    expect(scansIn(ofWords(50))).toEqual([
      words(50).slice(0, 16),
      words(50).slice(16, 32),
      words(50).slice(32, 48),
      words(50).slice(48),
    ]);
  });

  it('is looked through by what it stands with: in portions where that is no word, at once where it is', () => {
    const with_ = (other: LexemeQuery): string => ofWords(49, every([other, { kind: 'expand', expansion: pattern }]));
    expect(with_(word('x=level=file'))).toMatch(/^d\.ctid = ANY\(.*\) AND d\.tsv @@ "'x=level=file'"::tsquery$/);
    expect(with_(word('rare'))).toMatch(/^d\.tsv @@ "[^"]*"::tsquery$/);
    expect(with_(word('t=rare'))).toMatch(/^d\.tsv @@ "[^"]*"::tsquery$/);
    expect(scansIn(ofWords(49, any(words(49).map(word)))).flat()).toEqual(words(49));
  });
});

describe('what a caller may see', () => {
  const staff: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true };
  const open: Hidden = { repositories: [], records: null, at: null, now: 0 };
  const scope = (visibility: Partial<Visibility>, closed: readonly number[] = []): string =>
    told(toScopeCondition({ ...staff, ...visibility }, { ...open, repositories: closed }));

  it('is told by audience, repositories and what is suppressed', () => {
    const own = '(d.audience IN (0, 1, 3)) IS TRUE';
    expect(scope({})).toBe(own);
    expect(scope({ mayNotSeeUnpublished: true })).toBe('(d.audience IN (0, 2, 3)) IS TRUE AND d.published');
    expect(scope({ repositories: [2, 3] })).toBe(`${own} AND (d.repo_id IS NULL OR d.repo_id = ANY("{2,3}"::int4[]))`);
    expect(scope({}, [4])).toBe(`${own} AND (d.repo_id IS NULL OR d.repo_id <> ALL("{4}"::int4[]))`);
    expect(scope({ seesSuppressed: false })).toBe(`${own} AND NOT d.suppressed`);
    expect(scope({ seesSuppressed: [5] })).toBe(`${own} AND (NOT d.suppressed OR d.repo_id = ANY("{5}"::int4[]))`);
  });

  it('is without what is hidden one by one, where anything is', () => {
    expect(told(toVisibleCondition(staff, open))).toBe(scope({}));
    const hidden = { ...open, records: sql.fragment`h.reach = 'all'` };
    expect(told(toVisibleCondition(staff, hidden)).startsWith(`${scope({})} AND `)).toBe(true);
    expect(told(toVisibleCondition(staff, hidden))).toContain("h.reach = 'all'");
  });

  it('is all that a search of everything asks for', () => {
    const visible = sql.fragment`visible`;
    expect(told(toWhole(matchEvery([]), nothing, visible))).toBe('visible');
    expect(told(toWhole(lexemes(word('a')), nothing, visible))).toBe(`d.tsv @@ "'a'"::tsquery AND visible`);
    expect(told(toWhole(lexemes(any([])), nothing, visible))).toMatch(/^d\.tsv @@ ".*"::tsquery AND visible$/);
  });

  it('is told by short columns, with the kinds and repositories that a query asks for', () => {
    const columns = (predicate: Predicate): string => told(toColumnCondition(predicate, sql.fragment`visible`));
    const type = lexemes(word('x=types=resource'));
    const [here, anywhere] = ['/repositories/2', 'global'].map((text) => lexemes(word(`x=repository=${text}`)));
    if (here === undefined || anywhere === undefined) return expect.fail();
    expect(columns(lexemes(word('a')))).toBe('visible');
    expect(columns(matchEvery([type, lexemes(word('a'))]))).toBe('d.kind = ANY(["resource"]::"text"[]) AND visible');
    expect(columns(here)).toBe('(d.repo_id = ANY("{2}"::int4[]) OR d.repo_id IS NULL AND false) AND visible');
    expect(columns(matchEvery([type, matchAny([here, anywhere])]))).toBe(
      'd.kind = ANY(["resource"]::"text"[]) AND (d.repo_id = ANY("{2}"::int4[]) OR d.repo_id IS NULL AND true) AND visible',
    );
  });
});
