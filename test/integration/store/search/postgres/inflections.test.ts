// Words in all their forms, by PostgreSQL's stems: what is found in which language, in which order, at which cost, and after an upgrade.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { stemLanguages } from '#domain/search/query/stemming.ts';
import type { StemLanguage } from '#domain/search/query/stemming.ts';
import { expansionKey } from '#domain/search/query/tsquery.ts';
import { Database } from '#store/connection/database.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { inflectionsStatement, readInflections } from '#store/search/postgres/inflections.ts';
import type { Inflections } from '#store/search/postgres/inflections.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { column } from '#store/connection/columns.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import { createDatabase, withoutTemplate } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { PlanRow } from '#test/support/rows.ts';
import { indexDocuments } from '#test/support/index-documents.ts';

const staff = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false } as const;
const times = {
  create_time: '2026-01-02T03:04:05Z',
  system_mtime: '2026-01-02T03:04:05Z',
  user_mtime: '2026-01-02T03:04:05Z',
};

const titles = [
  'Organ',
  'Organization',
  'Organizations and organs',
  'Map of the harbor',
  'Maps',
  'Mapping the coast',
  'Mapp, a family',
  'The archives',
  'Archival theory',
  'Lettre',
  'Lettres',
  'Häuser',
  'Haus',
  'Müllerin',
  'Die Muellerinnen',
  'Listy z Łodzi',
  'O listach',
  'Zámek',
  'V zámku',
  'Gradovi',
  'Grad',
  'מכתב',
  'המכתבים',
  'Canción',
  'Canciones',
  'Документы',
  'Документ',
  'Kirjoja',
  'Kirja',
  'Re-armament',
  'MS 12',
  'Relations',
  'Relatives of the family',
];

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  await indexDocuments(
    database,
    titles.flatMap((title, n) =>
      toSearchDocuments('subject', {
        uri: `/subjects/${n + 1}`,
        jsonmodel_type: 'subject',
        title,
        terms: [],
        ...times,
      }),
    ),
    1,
  );
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const search = (parameters: Partial<SearchParameters>) =>
  postgresSearch(database).search(buildSearchRequest({ page: 1, page_size: 50, ...parameters }, { now: 0 }), staff);

async function find(q: string, stem?: string): Promise<readonly string[]> {
  const { hits } = await search({ q, ...(stem === undefined ? {} : { stem }) });
  return hits.map(({ id }) => titles[Number(id.slice('/subjects/'.length)) - 1] ?? id);
}

const found = async (q: string, stem?: string): Promise<readonly string[]> => [...(await find(q, stem))].sort();

describe('a search with a language', () => {
  it.each<[string, string, readonly string[]]>([
    ['map', 'en', ['Map of the harbor', 'Mapping the coast', 'Maps']],
    ['mapping', 'en', ['Map of the harbor', 'Mapping the coast', 'Maps']],
    ['title:maps harbors', 'en', ['Map of the harbor']],
    ['"map"', 'en', ['Map of the harbor']],
    ['archive', 'en', ['Archival theory', 'The archives']],
    ['archives -archival', 'en', []],
    ['lettre', 'fr', ['Lettre', 'Lettres']],
    ['hauser', 'en', ['Häuser']],
    ['hauser', 'de', ['Haus', 'Häuser']],
    ['Häuser', 'de', ['Haus', 'Häuser']],
    ['muellerin', 'de', ['Die Muellerinnen', 'Müllerin']],
    ['Müllerin', 'de', ['Die Muellerinnen', 'Müllerin']],
    ['list', 'pl', ['Listy z Łodzi', 'O listach']],
    ['title:list', 'pl', ['Listy z Łodzi', 'O listach']],
    ['zámky', 'cs', ['V zámku', 'Zámek']],
    ['grada', 'hr', ['Grad', 'Gradovi']],
    ['מכתבים', 'he', ['המכתבים', 'מכתב']],
    ['list grad', 'pl', []],
    ['cancion', 'es', ['Canciones', 'Canción']],
    ['документа', 'ru', ['Документ', 'Документы']],
    ['kirjat', 'fi', ['Kirja', 'Kirjoja']],
    ['re-armaments', 'en', ['Re-armament']],
    ['rearmaments', 'en', ['Re-armament']],
    ['MS.12', 'en', ['MS 12']],
    // A stop word has no stem: it stands for itself, and not for every word.
    ['the', 'en', ['Map of the harbor', 'Mapping the coast', 'Relatives of the family', 'The archives']],
    // Of another script than the language's.
    ['map', 'ru', ['Map of the harbor']],
  ])('%s in %s', async (q, stem, expected) => {
    expect(await found(q, stem)).toEqual(expected);
  });

  it('finds words as they are written where none is asked for', async () => {
    expect([await found('map'), await found('map', 'none'), await found('lettre')]).toEqual([
      ['Map of the harbor'],
      ['Map of the harbor'],
      ['Lettre'],
    ]);
  });

  it('leaves filters as they are written', async () => {
    expect((await search({ q: 'map', stem: 'en', filter_query: ['title:maps'] })).total).toBe(1);
  });

  it('puts the word as typed before its other forms, and one form as high as another', async () => {
    expect((await find('organ', 'en'))[0]).toBe('Organ');
    expect((await find('organization', 'en'))[0]).toBe('Organization');
    // As many forms as a word may have, what it adds is what the form adds that is there: two words without forms keep their order.
    const { explanations } = await search({ q: 'organ', stem: 'en', explain: true });
    const terms = Object.values(explanations ?? {}).flatMap((one) =>
      JSON.parse(JSON.stringify(one['terms'])),
    ) as readonly { readonly term: string; readonly rank: number }[];
    const rankOf = (term: string): readonly number[] =>
      [...new Set(terms.filter((one) => one.term === term).map(({ rank }) => rank))].sort();
    const [, alone = 0] = rankOf("'organ'");
    expect(alone).toBeGreaterThan(0.3);
    const forms = terms.find(({ term }) => term.includes('|'))?.term ?? '';
    expect(forms.match(/\|/g)).toHaveLength(3);
    // One form, and two of them in one title.
    expect(rankOf(forms)).toEqual([alone, expect.closeTo(Math.min(1, 2 * alone), 2)]);
  });

  it('leaves what a near spelling or a pattern counts to what is found of it, too', async () => {
    const ranksOf = async (q: string): Promise<readonly number[]> =>
      Object.values((await search({ q, explain: true })).explanations ?? {})
        .flatMap((one) => JSON.parse(JSON.stringify(one['terms'])))
        .map(({ rank }: { readonly rank: number }) => rank);
    const [alone = 0] = await ranksOf('mapp');
    expect(alone).toBeGreaterThan(0.2);
    expect(await ranksOf('mapp~1')).toEqual([alone, alone, alone]);
    expect(await ranksOf('ma?p')).toEqual([alone]);
    expect(new Set(await ranksOf('*ings OR m?p*'))).toEqual(new Set([0, alone]));
  });

  it('marks all forms', async () => {
    const { highlighting } = await search({ q: 'organ', stem: 'en', hl: true });
    expect(highlighting?.['/subjects/3']?.['title']).toEqual([
      '<span class="searchterm">Organizations</span> and <span class="searchterm">organs</span>',
    ]);
  });
});

const formsOf = (word: string, more: Partial<Inflections> = {}): Inflections => ({
  kind: 'inflections',
  prefix: '',
  word,
  language: 'en',
  ...more,
});

describe('the forms of a word', () => {
  it('begin with itself, then the more frequent ones; also where the index does not have it', async () => {
    const asked = [formsOf('organs', { prefix: 't=' }), formsOf('organizes')];
    const forms = await readInflections(database.reader, [...asked, ...asked]);
    expect([...forms.values()].map(([first, ...others]) => [first, others.toSorted()])).toEqual([
      ['t=organs', ['t=organ', 't=organization', 't=organizations']],
      ['organizes', ['organ', 'organization', 'organizations', 'organs']],
    ]);
  });

  it('are no more than 50, the most frequent, and no more than 1,024 of all words of a query', async () => {
    await using own = await createDatabase();
    await using store = new Database({ url: own.url, poolSize: 2 });
    const endings =
      ',а,у,ом,е,ы,ов,ам,ами,ах,и,ей,ый,ого,ому,ым,ая,ую,ое,ые,ых,ыми,ою,ить,ил,ила,ило,или,ишь,ит,ят,ена,ено,ены,ять,ует,уют'
        .split(',')
        .flatMap((ending) => [ending, `${ending}сь`]);
    const words = ['зорк', 'дорк'].flatMap((root) => endings.map((ending, n) => [`${root}${ending}`, 1 + n]));
    await store.transaction((tx) =>
      tx.run(
        sql`INSERT INTO search_lexeme (word, df) SELECT word, df FROM ${sql.unnest(words, ['text', 'int4'])} AS w (word, df)`,
      ),
    );
    const russian = (word: string, prefix = ''): Inflections => formsOf(word, { language: 'ru', prefix });
    const sizesOf = async (asked: readonly Inflections[]): Promise<readonly number[]> =>
      [...(await readInflections(store.reader, asked)).values()].map((forms) => forms.length);
    const [forms = []] = (await readInflections(store.reader, [russian('зорк')])).values();
    // The list has more: what is left out are words in few documents.
    expect(forms).toHaveLength(50);
    expect(forms.slice(0, 3)).toEqual(['зорк', 'зоркуютсь', 'зоркуют']);
    expect(await sizesOf([russian('зорк'), russian('дорк')])).toEqual([50, 50]);
    const many = (count: number): readonly Inflections[] =>
      Array.from({ length: count }, (_, n) => russian(n % 2 === 0 ? 'зорк' : 'дорк', `f${n}=`));
    for (const [count, share] of [
      [40, 25],
      [500, 2],
      [1024, 1],
      [1100, 1],
    ] as const)
      expect([...new Set(await sizesOf(many(count)))]).toEqual([share]);
  });

  it('are looked up in the index of stems, for all words of a query in one statement', async () => {
    await using own = await createDatabase();
    await using store = new Database({ url: own.url, poolSize: 2 });
    const plan = await store.transaction(async (tx) => {
      await tx.run(
        sql`INSERT INTO search_lexeme (word, df) SELECT chr(97 + n % 26) || md5(n::text), 1 FROM generate_series(1, 5000) n`,
      );
      await tx.run(
        sql`INSERT INTO search_lexeme (word, df) SELECT 'q' || translate(md5(n::text), '0123456789', 'ghijklmnop'), 1 FROM generate_series(1, 5000) n`,
      );
      await tx.client.query('ANALYZE search_lexeme');
      const query = inflectionsStatement(
        new Map(['map', 'the', 'organs'].map((word) => [expansionKey(formsOf(word)), formsOf(word)])),
      );
      const rows = await tx.any({
        sql: `EXPLAIN (ANALYZE, COSTS off, TIMING off, BUFFERS off) ${toStatement(query)}`,
        values: query.values,
        parser: PlanRow,
      });
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/Bitmap Index Scan on search_lexeme_stems_idx[^\n]*loops=2\)/);
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it('have their stem in the index in every language, in its script', async () => {
    const samples: { readonly [language in StemLanguage]?: string } = {
      ar: 'الكتب',
      el: 'επιστολες',
      hi: 'लडकियों',
      hy: 'գրքեր',
      ne: 'किताबहरू',
      ru: 'документами',
      ta: 'புத்தகங்கள்',
      yi: 'ביכער',
      sr: 'документима',
    };
    const asked = Object.entries(stemLanguages).flatMap(([code, name]) =>
      [samples[code as StemLanguage] ?? 'documentations', ...(code === 'sr' ? ['dokumentima'] : [])].map((word) => [
        code,
        `pg_catalog.${name}_stem`,
        word,
      ]),
    );
    const rows = await database.reader.any(sql.type(z.strictObject({ code: column.text, has: column.bool }))`
      SELECT code, search_stems(word) @> ts_lexize(dictionary::regdictionary, word) AND cardinality(ts_lexize(dictionary::regdictionary, word)) = 1 AS has FROM ${sql.unnest(asked, ['text', 'text', 'text'])} AS a (code, dictionary, word)`);
    expect(rows).toHaveLength(29);
    expect(rows.filter(({ has }) => !has)).toEqual([]);
  });
});

it('an upgrade stems the words that are there', async () => {
  await using older = await withoutTemplate();
  const migrations = new URL('../../../../../db/migrations', import.meta.url);
  await migrate(older.url, migrations, '0025');
  await using opened = new Database({ url: older.url, poolSize: 2 });
  await opened.transaction((tx) =>
    tx.run(
      sql`INSERT INTO search_lexeme (word, df) VALUES ('maps', 3), ('mapped', 1), ('t=map', 9), ('map2', 9), ('карты', 1)`,
    ),
  );
  await migrate(older.url, migrations);
  expect([
    ...(await readInflections(opened.reader, [formsOf('map'), formsOf('карта', { language: 'ru' })])).values(),
  ]).toEqual([
    ['map', 'maps', 'mapped'],
    ['карта', 'карты'],
  ]);
});
