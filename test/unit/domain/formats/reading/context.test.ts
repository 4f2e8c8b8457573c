// What the parts of the reader share: temporary URIs and controlled values.
import { describe, expect, test } from 'vitest';
import { createContext } from '#domain/formats/reading/context.ts';
import type { ImportRecord } from '#domain/formats/reading/context.ts';
import { testOptions } from '#test/support/ead-document.ts';

const position = () => ({ line: 1, column: 0, element: '' });

describe('createContext', () => {
  test('numbers temporary URIs in the shape batch imports accept', () => {
    const context = createContext({ ...testOptions, importId: '7f3a-01' }, () => undefined, position);
    expect([context.nextUri('resource'), context.nextUri('agent_person')]).toEqual([
      '/repositories/2/resources/import_7f3a-01-1',
      '/agents/people/import_7f3a-01-2',
    ]);
  });

  test('refuses an import id that no temporary URI may hold', () => {
    expect(() => createContext({ ...testOptions, importId: 'x/y' }, () => undefined, position)).toThrow(/hex digits/);
  });

  test('emits a shared record once per key', () => {
    const records: ImportRecord[] = [];
    const context = createContext(testOptions, (record) => records.push(record), position);
    const uris = ['a', 'b', 'a'].map((key) => context.emitOnce('subject', key, { source: key }));
    expect(uris[0]).toBe(uris[2]);
    expect(records).toHaveLength(2);
    expect(context.report.report().records).toEqual({ subject: 2 });
  });

  test('matches values without case, with blanks as underscores, and by label', () => {
    const options = {
      ...testOptions,
      enumerationValueForLabel: (_list: string, label: string) => (label === 'Laufmeter' ? 'linear_feet' : undefined),
    };
    const context = createContext(options, () => undefined, position);
    const type = (text: string) => context.controlled('extent_extent_type', text);
    expect([type('Linear Feet'), type('VOLUMES'), type('Laufmeter'), type('Wax rolls')]).toEqual([
      'linear_feet',
      'volumes',
      'linear_feet',
      'Wax rolls',
    ]);
    expect([context.fixed('date_certainty', 'Approximate'), context.fixed('date_certainty', 'maybe')]).toEqual([
      'approximate',
      undefined,
    ]);
  });

  test('knows languages by other codes, and scripts in any case', () => {
    const options = {
      ...testOptions,
      isEnumerationValue: (list: string, value: string) =>
        list === 'script_iso15924' ? value === 'Latn' : ['fre', 'ger'].includes(value),
    };
    const context = createContext(options, () => undefined, position);
    expect(['deu', 'fr', 'GER', 'xyz'].map((code) => context.fixed('language_iso639_2', code))).toEqual([
      'ger',
      'fre',
      'ger',
      undefined,
    ]);
    expect(['latn', 'LATN', 'Latn'].map((code) => context.controlled('script_iso15924', code))).toEqual([
      'Latn',
      'Latn',
      'Latn',
    ]);
  });
});
