// Blocks of a batch without a database: what the first pass sees, what the second makes of it.
import { describe, expect, test } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { checkBlock, existingFrom, parseBlock } from '#domain/batch-import/block.ts';
import type { BlockContext } from '#domain/batch-import/block.ts';
import { indexBlock, keyOfText, keyText } from '#domain/batch-import/index-block.ts';
import { prepareBlock } from '#domain/batch-import/prepare-block.ts';
import { toRows } from '#domain/batch-import/rows.ts';
import { termKeyText } from '#domain/batch-import/terms.ts';
import { makeUriTable, openUriTable } from '#domain/batch-import/uri-table.ts';
import type { UriTable } from '#domain/batch-import/uri-table.ts';
import { kinds } from '#domain/kinds/index.ts';
import { referenceLists } from '../../../support/make/lists.ts';

const kindNames = [...kinds.keys()];
const context: BlockContext = {
  repoId: 2,
  kindNames,
  enumerations: referenceLists(),
  publishDefault: false,
  newHexId: () => 'f'.repeat(32),
};
const bytesOf = (records: readonly JsonObject[]): Uint8Array => Buffer.from(JSON.stringify(records));
const number = (kind: string): number => kindNames.indexOf(kind);
const table = (entries: Readonly<Record<string, readonly [string, number]>>): UriTable => {
  const made = openUriTable(makeUriTable(100));
  for (const [uri, [kind, id]] of Object.entries(entries))
    made.add(uri, { kind: kind.startsWith('+') ? number(kind.slice(1)) + existingFrom : number(kind), id });
  return made;
};
const term = { jsonmodel_type: 'term', term: 'Maps', term_type: 'topical', vocabulary: '/vocabularies/1' };
const subject: JsonObject = {
  jsonmodel_type: 'subject',
  uri: '/subjects/import_1',
  source: 'local',
  vocabulary: '/vocabularies/1',
  terms: [term],
};
const ao: JsonObject = {
  jsonmodel_type: 'archival_object',
  uri: '/repositories/2/archival_objects/import_2',
  title: 'A',
  level: 'file',
  resource: { ref: '/repositories/2/resources/import_3' },
};
const failureOf = (work: () => unknown): Failure => {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
};

describe('indexBlock', () => {
  test('works out keys of headings alone, and names their terms once', () => {
    const index = indexBlock(bytesOf([ao, subject, { ...subject, uri: '/subjects/import_9' }]), 0, context, new Map());
    expect([...index.kinds]).toEqual(['archival_object', 'subject', 'subject'].map(number));
    expect(index.keyed.map((each) => each.index)).toEqual([1, 2]);
    expect(index.keyed[0]?.keys).toEqual(index.keyed[1]?.keys);
    expect(index.terms).toEqual([{ term: 'Maps', termType: 'topical', vocabulary: '/vocabularies/1' }]);
    const [key = ''] = index.keyed[0]?.keys ?? [];
    expect(keyText(keyOfText(key))).toBe(key);
  });

  test('takes headings that refer to records of the batch', () => {
    const agent = {
      jsonmodel_type: 'agent_person',
      uri: '/agents/people/import_1',
      names: [{ primary_name: 'P', name_order: 'direct', sort_name_auto_generate: true }],
      related_agents: [
        {
          jsonmodel_type: 'agent_relationship_associative',
          relator: 'is_associative_with',
          ref: '/agents/people/import_2',
        },
      ],
    };
    expect(indexBlock(bytesOf([agent]), 0, context, new Map()).keyed).toHaveLength(1);
  });

  test('asks for terms named by uri, and knows the subject once it has them', () => {
    const named = bytesOf([{ ...subject, terms: ['/terms/7'] }]);
    expect(indexBlock(named, 0, context, new Map()).termUris).toEqual(['/terms/7']);
    const known = indexBlock(
      named,
      0,
      context,
      new Map([['/terms/7', { term: 'Maps', termType: 'topical', vocabulary: '/vocabularies/1' }]]),
    );
    expect(known.termUris).toEqual([]);
    expect(known.keyed).toEqual(indexBlock(bytesOf([subject]), 0, context, new Map()).keyed);
  });
});

describe('prepareBlock', () => {
  const known = table({
    '/subjects/import_1': ['subject', 11],
    '/repositories/2/archival_objects/import_2': ['archival_object', 12],
    '/repositories/2/resources/import_3': ['resource', 13],
    [termKeyText({ term: 'Maps', termType: 'topical', vocabulary: '/vocabularies/1' })]: ['+term', 14],
  });

  test('puts real uris in place of temporary ones at any depth, but for the own uri, titles and `_resolved`', () => {
    const note = {
      jsonmodel_type: 'note_singlepart',
      type: 'abstract',
      content: ['/subjects/import_1', 'see /subjects/import_1'],
    };
    const { records } = prepareBlock(
      bytesOf([
        { ...ao, subjects: [{ ref: '/subjects/import_1', _resolved: { uri: '/subjects/import_1' } }], notes: [note] },
      ]),
      5,
      context,
      known,
      new Map(),
    );
    expect(records[0]).toMatchObject({
      id: 12,
      repoId: 2,
      number: 5,
      place: { root: '/repositories/2/resources/13' },
      links: [{ uri: '/subjects/11', targetId: 11 }],
    });
    expect(records[0]?.text).toContain('"/subjects/11","see /subjects/import_1"');
    expect(records[0]?.text).not.toContain('_resolved');
  });

  test('leaves out records for which others stand, and tells their uris', () => {
    const reused = table({ '/subjects/import_1': ['+subject', 3] });
    expect(prepareBlock(bytesOf([subject]), 0, context, reused, new Map())).toMatchObject({
      records: [],
      reused: [['/subjects/import_1', '/subjects/3', 3]],
    });
  });

  test('writes terms with their uris', () => {
    const { records } = prepareBlock(bytesOf([subject]), 0, context, known, new Map());
    expect(JSON.parse(records[0]?.text ?? '')).toMatchObject({ terms: [{ uri: '/terms/14', term: 'Maps' }] });
  });

  test('names the ref that leads nowhere, and the record', () => {
    const failure = failureOf(() =>
      prepareBlock(bytesOf([{ ...ao, subjects: [{ ref: '/subjects/import_77' }] }]), 41, context, known, new Map()),
    );
    expect(failure).toMatchObject({
      code: 'import_failed',
      error: {
        record_number: 42,
        record_title: 'A',
        errors: { 'subjects/0': ["Reference does not exist! (Reference: '/subjects/import_77')"] },
      },
    });
  });

  test('makes rows in which only targets outside the batch are looked up', () => {
    const prepared = prepareBlock(
      bytesOf([{ ...ao, subjects: [{ ref: '/subjects/import_1' }, { ref: '/subjects/99' }], position: 4 }, subject]),
      0,
      context,
      known,
      new Map(),
    );
    const rows = toRows(prepared, { actor: 'a', repoId: 2, keepSaved: true, uriOf: (record) => `/x/${record.id}` });
    const text = (name: keyof typeof rows.texts): string => Buffer.from(rows.texts[name]).toString();
    expect(
      text('target')
        .split('\n')
        .map((line) => line.split('\t')[3]),
    ).toEqual(['/subjects/99', '/vocabularies/1', undefined]);
    expect(text('node')).toBe('1\t13\t\\N\t12\t4\t0\tf\tfile\n');
    expect(JSON.parse(`{${rows.saved}}`)).toEqual({
      '/repositories/2/archival_objects/import_2': ['/x/12', 12],
      '/subjects/import_1': ['/x/11', 11],
    });
    expect(rows.ids).toEqual({ archival_object: [12], subject: [11] });
  });
});

describe('faults', () => {
  test('of the text are named by record', () => {
    expect(failureOf(() => parseBlock(Buffer.from('[{"a":1},{"b":}]'), 10))).toMatchObject({
      code: 'malformed_body',
      error: expect.stringContaining('record 12'),
    });
    expect(
      failureOf(() => parseBlock(Buffer.from([0x5b, 0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x5d]), 0)).error,
    ).toContain('record 1');
  });

  test('are found in the order of the file, up to where one is known', () => {
    const bad = { ...ao, level: undefined };
    expect(failureOf(() => checkBlock(bytesOf([ao, bad, { ...bad, title: 'later' }]), 0, 99, context))).toMatchObject({
      error: { record_number: 2 },
    });
    expect(() => checkBlock(bytesOf([ao, bad]), 0, 1, context)).not.toThrow();
    expect(failureOf(() => checkBlock(Buffer.from(`[${JSON.stringify(bad)},{"x":}]`), 0, 99, context))).toMatchObject({
      code: 'import_failed',
    });
  });
});
