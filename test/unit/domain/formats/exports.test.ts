// Every declared export is complete: its paths name kinds that are there, its options are what it says, its prefix is its own.
import { expect, it } from 'vitest';
import { defineExport, flag, textOption, valuesOf } from '#domain/formats/define-export.ts';
import { allExports } from '#domain/formats/exports.ts';
import { formatOf, oaiFormats } from '#domain/formats/oai/prefixes.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import { kinds } from '#domain/kinds/index.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const paths = allExports.flatMap((each) => Object.entries(each.paths));

it.each(paths)('an export of %s at %s is of a kind that is there', (kind) => {
  expect(kinds.has(kind)).toBe(true);
});

it('no two exports have one path', () => {
  expect(new Set(paths.map(([, path]) => path)).size).toBe(paths.length);
});

it('whoever asks for what is unpublished names a declared option', () => {
  for (const { unpublished, options } of allExports)
    if (unpublished !== 'always' && unpublished !== 'never') expect(Object.keys(options)).toContain(unpublished);
});

it('files are named after the record and the format', () => {
  const names = allExports.flatMap(({ file }) =>
    file === undefined ? [] : [typeof file.suffix === 'function' ? file.suffix('xml') : file.suffix],
  );
  for (const name of names) expect(name).toMatch(/^_[a-z\d]+\.[a-z]+$/);
});

it('harvesters are told the formats of the contract in its order, then ours', () => {
  expect(oaiFormats.map(({ prefix }) => prefix)).toEqual([
    'oai_dc',
    'oai_ead',
    'oai_dcterms',
    'oai_marc',
    'oai_mods',
    'oai_ead3',
  ]);
  expect(formatOf('oai_ead')?.pageSize).toBe(1);
  expect(formatOf('oai_none')).toBeUndefined();
});

it('an absent flag is off and other absent options are null, unless they have a default', () => {
  const options = { on: flag({ default: true, doc: '' }), off: flag({ doc: '' }), text: textOption({ doc: '' }) };
  expect(valuesOf(options)).toEqual({ on: true, off: false, text: null });
  expect(valuesOf(options, { on: false, text: 'dc', other: 1 })).toEqual({ on: false, off: false, text: 'dc' });
});

it('refuses a path that names no record', () => {
  const about = {
    name: 'Text',
    summary: '',
    says: '',
    mediaType: 'text/plain',
    access: 'public',
    unpublished: 'never',
  } as const;
  const declare = (path: string) =>
    defineExport({
      ...about,
      paths: { resource: path },
      options: {},
      reads: 'record',
      refs: findingAidRefs,
      write: () => '',
    });
  expect(() => declare('/repositories/:repo_id/resources.txt')).toThrow('names its repository and its record');
});

it('harvesters are offered the prefixes that are kept, of these kinds', async () => {
  const offered = allExports.flatMap((each) =>
    'oai' in each && each.oai !== undefined ? [{ of: each.name, ...each.oai }] : [],
  );
  await expectKept(keptText(offered, 2), 'oai/prefixes.json');
});
