// What descriptions are kept in: instances, top containers, their profiles, and locations, fact by fact over HTTP (contract
// behaviour-records.md 6.6, 6.7, 6.8, 6.9).
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { inBox, shownBy } from '#test/support/make/instances.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records, read, save, attempt } = await serveRecords({ worker: 'jobs' });

describe('6.6 instances', () => {
  it('whose object a reader may not see are left out for this reader', async () => {
    const object = await records.make('digital_object');
    const accession = await records.make('accession', { instances: [shownBy(object)] });
    await api.ask(`${object}/suppressed?suppressed=true`, { method: 'POST' });
    const viewer = await api.userWith(['view_repository'], records.repoId);
    expect((await api.get(accession, viewer)).json.instances).toEqual([]);
  });

  it('name a container', async () => {
    expect(
      (await attempt('accession', { instances: [{ instance_type: 'text', sub_container: {} }] }))[1],
    ).toMatchObject({ 'instances/0/sub_container': ["Can't be empty"] });
  });
});

describe('6.7 top containers', () => {
  it.each([
    [{ type: 'box', indicator: '1', barcode: 'b1' }, 'Box 1: [Barcode: b1]'],
    [{ type: 'box', indicator: '2' }, 'Box 2'],
    [{ type: null, indicator: '3' }, ' 3'],
  ])('are labelled by %o', async (change, expected) => {
    expect(await read(await records.make('top_container', { barcode: null, ...change }))).toMatchObject({
      display_string: expected,
      series: [],
      collection: [],
    });
  });

  it('tell of the series and collection in them, and of barcodes inside', async () => {
    const container = await records.make('top_container', { type: 'box', indicator: '9', barcode: 'bc9' });
    const resource = await records.make('resource', { id_0: 'MS', id_1: '7', title: 'Papers' });
    const series = await records.make('archival_object', {
      resource: { ref: resource },
      level: 'series',
      component_id: 'S1',
      title: 'Letters',
    });
    await records.make('archival_object', {
      resource: { ref: resource },
      parent: { ref: series },
      instances: [inBox(container, { type_2: 'folder', indicator_2: '1', barcode_2: 'f1' })],
    });
    const shown = await read(container);
    expect(shown.collection).toMatchObject([{ ref: resource, identifier: 'MS--7', display_string: 'Papers' }]);
    expect(shown.series).toMatchObject([
      { ref: series, identifier: 'S1', display_string: 'Letters', level_display_string: 'Series' },
    ]);
    expect([shown.display_string, shown.subcontainer_barcodes]).toEqual(['Box 9: Series S1 [Barcode: bc9]', 'f1 ']);
    expect(shown.long_display_string).toBe('Box 9 [Barcode: bc9], MS--7, Papers, Series S1');
  });

  it('take accessions among the components for series, and neither other levels nor series without an identifier', async () => {
    const container = await records.make('top_container', { type: 'box', indicator: '9', barcode: null });
    const resource = await records.make('resource');
    const levels = [
      { level: 'otherlevel', other_level: 'Accession', component_id: 'A1' },
      { level: 'otherlevel', other_level: 'series', component_id: 'A2' },
      { level: 'series' },
      { level: 'file', component_id: 'series' },
    ];
    for (const level of levels)
      await records.make('archival_object', {
        component_id: null,
        resource: { ref: resource },
        title: 'Part',
        instances: [inBox(container)],
        ...level,
      });
    const shown = await read(container);
    expect(shown.series).toMatchObject([{ identifier: 'A1', level_display_string: 'Accession' }]);
    expect(shown.display_string).toBe('Box 9: Accession A1');
  });

  it('name a level of its own as it was given, and an accession without a title by its identifier alone', async () => {
    const container = await records.make('top_container', { type: 'box', indicator: '9', barcode: null });
    const resource = await records.make('resource', { id_0: 'L', id_1: 'x', title: 'Papers' });
    for (const level of [{ level: 'series' }, { level: 'otherlevel', other_level: 'accession' }])
      await records.make('archival_object', {
        component_id: 'I',
        resource: { ref: resource },
        instances: [inBox(container)],
        ...level,
      });
    const { series, display_string, long_display_string } = await read(container);
    expect(series.map((each: JsonObject) => each['level_display_string'])).toEqual(['Series', 'accession']);
    expect([display_string, long_display_string]).toEqual([
      'Box 9: Series I; accession I',
      'Box 9, L--x, Papers, Series I; accession I',
    ]);
    const other = await records.make('top_container', { type: 'box', indicator: '2', barcode: null });
    const accession = { id_0: 'Z1', id_1: 'b', instances: [inBox(other)] };
    const uri = await records.make('accession', { ...accession, title: null });
    expect(await read(other)).toMatchObject({
      long_display_string: 'Box 2, Z1--b',
      collection: [{ ref: uri, identifier: 'Z1--b', display_string: 'Z1-b' }],
    });
    await save(uri, { title: 'Gift' });
    expect(await read(other)).toMatchObject({ long_display_string: 'Box 2, Z1--b, Gift' });
  });

  it('show active restrictions of the records in them and of all above', async () => {
    const container = await records.make('top_container');
    const restriction = {
      jsonmodel_type: 'note_multipart',
      type: 'accessrestrict',
      subnotes: [{ jsonmodel_type: 'note_text', content: 'closed' }],
      rights_restriction: { begin: '2000-01-01', end: '2999-01-01' },
    };
    const resource = await records.make('resource', { notes: [restriction] });
    await records.make('archival_object', { resource: { ref: resource }, instances: [inBox(container)] });
    expect(await read(container)).toMatchObject({
      restricted: true,
      active_restrictions: [{ begin: '2000-01-01', end: '2999-01-01' }],
    });
    await save(resource, {
      notes: [{ ...restriction, rights_restriction: { begin: '2000-01-01', end: '2001-01-01' } }],
    });
    expect(await read(container)).toMatchObject({ restricted: false, active_restrictions: [] });
  });

  it('are restricted by notes on access and use, and by no others', async () => {
    const note = (type: string) => ({
      jsonmodel_type: 'note_multipart',
      type,
      subnotes: [{ jsonmodel_type: 'note_text', content: 'closed' }],
      rights_restriction: { local_access_restriction_type: ['RestrictedSpecColl'] },
    });
    const container = await records.make('top_container');
    const resource = await records.make('resource', { notes: [note('scopecontent')] });
    const component = await records.make('archival_object', {
      resource: { ref: resource },
      notes: [note('custodhist'), note('processinfo')],
      instances: [inBox(container)],
    });
    expect(await read(container)).toMatchObject({ restricted: false, active_restrictions: [] });
    await save(component, { notes: [note('scopecontent'), note('userestrict')] });
    expect(await read(container)).toMatchObject({
      restricted: true,
      active_restrictions: [{ restriction_note_type: 'userestrict', linked_records: { ref: component } }],
    });
  });

  it('have barcodes that are unique in their repository', async () => {
    await records.make('top_container', { barcode: 'twice' });
    expect(await attempt('top_container', { barcode: 'twice' })).toEqual([
      400,
      { barcode: ['A barcode must be unique within a repository'] },
    ]);
    const other = await api.repository();
    expect((await api.post(`/repositories/${other}/top_containers`, { indicator: '1', barcode: 'twice' })).status).toBe(
      200,
    );
  });
});

describe('6.8 profiles', () => {
  it('have names that are unique', async () => {
    const [box, shelf] = [
      await read(await records.make('container_profile')),
      await read(await records.make('location_profile')),
    ];
    expect(await attempt('container_profile', { name: box.name })).toEqual([
      400,
      { name: ['container profile name not unique'] },
    ]);
    expect(await attempt('location_profile', { name: shelf.name })).toEqual([
      400,
      { name: ['location profile name not unique'] },
    ]);
  });
});

describe('6.9 locations', () => {
  it('are titled by what they say of themselves', async () => {
    const full = {
      building: 'Main',
      floor: '2',
      room: '5',
      area: 'N',
      barcode: 'b',
      classification: 'c',
      coordinate_1_label: 'Range',
      coordinate_1_indicator: '1',
      coordinate_2_label: 'Shelf',
      coordinate_2_indicator: '4',
    };
    expect((await read(await records.make('location', full))).title).toBe('Main, 2, 5, N [b, c, Range: 1, Shelf: 4]');
  });
});
