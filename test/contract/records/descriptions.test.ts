// Accessions, resources, archival objects and digital objects, fact by fact over HTTP (contract behaviour-records.md 6.3, 6.4, 6.5).
import { describe, expect, it } from 'vitest';
import { shownBy } from '#test/support/make/instances.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { records, read, save, attempt } = await serveRecords();

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
