// Accessions, resources, archival objects and digital objects, fact by fact over HTTP (contract behaviour-records.md 6.3, 6.4, 6.5).
import { describe, expect, it } from 'vitest';
import { shownBy } from '#test/support/make/instances.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { records, read, save, attempt } = await serveRecords({ worker: 'jobs' });

describe('6.3 accessions', () => {
  it('are linked with components from either side', async () => {
    const accession = await records.make('accession');
    const component = await records.make('archival_object', { accession_links: [{ ref: accession }] });
    expect((await read(accession)).component_links).toEqual([{ ref: component }]);
    await save(accession, { component_links: [] });
    expect((await read(component)).accession_links).toEqual([]);
  });
});

describe('6.4 resources and archival objects', () => {
  it.each([
    'title',
    'id_0',
    'level',
    'finding_aid_language',
    'finding_aid_script',
    'extents',
    'dates',
    'lang_materials',
  ])('a resource without %s is refused', async (property) => {
    expect(await attempt('resource', { [property]: null })).toEqual([
      400,
      { [property]: ['Property is required but was missing'] },
    ]);
  });

  it('a resource without a language in its lang_materials is refused with a code', async () => {
    expect(
      await attempt('resource', {
        lang_materials: [{ notes: [{ jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: ['x'] }] }],
      }),
    ).toEqual([400, { coded_errors: ['must_contain_at_least_one_language'] }]);
  });

  it('name their ancestors from near to far, with their levels', async () => {
    const resource = await records.make('resource', { level: 'collection' });
    const series = await records.make('archival_object', {
      resource: { ref: resource },
      level: 'otherlevel',
      other_level: 'heap',
    });
    const file = await records.make('archival_object', { resource: { ref: resource }, parent: { ref: series } });
    expect((await read(file)).ancestors).toEqual([
      { ref: series, level: 'heap' },
      { ref: resource, level: 'collection' },
    ]);
    expect((await read(resource)).tree).toEqual({ ref: `${resource}/tree` });
    expect(await read(resource)).toMatchObject({ is_finding_aid_status_published: true });
  });

  it('name the kinds of records in them', async () => {
    const resource = await records.make('resource');
    expect((await read(`${resource}/models_in_graph`)).includes('resource')).toBe(false);
    const component = await records.make('archival_object');
    expect(await read(`${component}/models_in_graph`)).toContain('archival_object');
  });

  describe('have a representative file version', () => {
    const shown = (object: string) => ({ instances: [{ ...shownBy(object), is_representative: true }] });
    const file = (name: string, more: object = {}) => ({ file_uri: `http://x.org/${name}`, publish: true, ...more });
    const thumbnail = { use_statement: 'image-thumbnail' };

    it.each(['resource', 'accession', 'archival_object'])(
      'of the digital object that stands for them, and say which it is: %s',
      async (kind) => {
        const object = await records.make('digital_object', {
          publish: true,
          file_versions: [file('a', thumbnail), file('b')],
        });
        const { representative_file_version: version } = await read(await records.make(kind, shown(object)));
        expect(version).toMatchObject({ file_uri: 'http://x.org/a', derived_from: object });
        expect(version).not.toHaveProperty('link_uri');
        expect(await read(await records.make(kind, { instances: [shownBy(object)] }))).not.toHaveProperty(
          'representative_file_version',
        );
      },
    );

    it('of the first component of it that has one, where it has none itself', async () => {
      const object = await records.make('digital_object', { publish: true, file_versions: [file('whole')] });
      const component = (more: object) =>
        records.make('digital_object_component', { digital_object: { ref: object }, publish: true, ...more });
      const node = await records.make('archival_object', shown(object));
      const version = async () => (await read(node)).representative_file_version;
      const hidden = await component({ publish: false, file_versions: [file('hidden', thumbnail)] });
      await component({ parent: { ref: hidden }, file_versions: [file('below hidden', thumbnail)] });
      const first = await component({ file_versions: [file('plain')] });
      await component({ file_versions: [file('second', thumbnail)] });
      expect(await version()).toMatchObject({ file_uri: 'http://x.org/second' });
      const below = await component({ parent: { ref: first }, file_versions: [file('deep', thumbnail)] });
      expect(await version()).toMatchObject({ file_uri: 'http://x.org/deep', derived_from: below });
      await save(object, { file_versions: [file('own', thumbnail)] });
      expect(await version()).toMatchObject({ file_uri: 'http://x.org/own', derived_from: object });
      await save(object, { publish: false });
      expect(await version()).toBeUndefined();
    });

    it.each(['digital_object', 'digital_object_component'])(
      'that leads to the file behind it, where that is published: %s',
      async (kind) => {
        const uri = await records.make(kind, {
          file_versions: [file('a'), file('b', thumbnail), file('"c"'), file('d')],
        });
        expect((await read(uri)).representative_file_version).toMatchObject({
          file_uri: 'http://x.org/b',
          link_uri: 'http://x.org/"c"',
        });
        for (const files of [[file('b', thumbnail), file('c', { publish: false })], [file('b', thumbnail)]]) {
          await save(uri, { file_versions: files });
          const { representative_file_version: version, file_versions: all } = await read(uri);
          expect(version).toMatchObject({ file_uri: 'http://x.org/b' });
          for (const each of [version, ...all]) expect(each).not.toHaveProperty('link_uri');
        }
      },
    );
  });
});

describe('6.5 digital objects', () => {
  it('tell where they are shown, and of which collections', async () => {
    const object = await records.make('digital_object');
    const accession = await records.make('accession', { instances: [shownBy(object)] });
    const node = await records.make('archival_object', { publish: true, instances: [shownBy(object)] });
    const { resource } = await read(node);
    await save(resource.ref, { publish: true });
    const shown = await read(object);
    expect([
      shown.linked_instances.map((link: { ref: string }) => link.ref).sort(),
      shown.collection.map((link: { ref: string }) => link.ref).sort(),
    ]).toEqual([[accession, node].sort(), [accession, resource.ref].sort()]);
  });
});
