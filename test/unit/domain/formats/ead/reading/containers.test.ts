// container → instances and top containers.
import { describe, expect, test } from 'vitest';
import { objectOf } from '#domain/json.ts';
import type { JsonObject } from '#domain/json.ts';
import { readComponent, readDocument } from '#test/support/ead-document.ts';
import type { EadOptions } from '#domain/formats/ead/reading/read.ts';

const title = '<unittitle>T</unittitle>';
async function read(xml: string, options: Partial<EadOptions> = {}) {
  const result = await readComponent(`<did>${title}${xml}</did>`, options);
  return { ...result, tops: result.of('top_container') };
}

describe('readContainers', () => {
  test('puts what follows without an id, or names a parent, one and two levels down', async () => {
    const { component, tops } = await read(`<container id="a" type="Box" label="Mixed Materials [39001]">1</container>
      <container parent="a" type="Folder">2</container><container type="sleeve">3</container>`);
    expect(tops).toEqual([
      { jsonmodel_type: 'top_container', uri: tops[0]?.uri, type: 'box', indicator: '1', barcode: '39001' },
    ]);
    expect(component['instances']).toEqual([
      {
        jsonmodel_type: 'instance',
        instance_type: 'mixed_materials',
        sub_container: {
          jsonmodel_type: 'sub_container',
          top_container: { ref: tops[0]?.uri },
          type_2: 'folder',
          indicator_2: '2',
          type_3: 'sleeve',
          indicator_3: '3',
        },
      },
    ]);
  });

  test('starts a new instance at an id without a parent', async () => {
    const { component } = await read(
      '<container id="a" type="box">1</container><container id="b" type="box">2</container>',
    );
    expect(component['instances']).toHaveLength(2);
  });

  test.each([
    [
      'name one parent',
      '<container id="b1" type="box">1</container><container id="f1" parent="b1" type="folder">1</container><container id="f2" parent="b1" type="folder">2</container>',
    ],
    [
      'stand in one container',
      '<container type="box">1<container type="folder">1</container><container type="folder">2</container></container>',
    ],
    [
      'name one parent that comes later',
      '<container parent="b1" type="folder">1</container><container parent="b1" type="folder">2</container><container id="b1" type="box">1</container>',
    ],
  ])('makes an instance of each of several that %s', async (_how, xml) => {
    const { component, tops, report } = await read(xml);
    expect(tops).toMatchObject([{ type: 'box', indicator: '1' }]);
    const top = { ref: tops[0]?.uri };
    expect(component['instances']).toMatchObject([
      { sub_container: { top_container: top, type_2: 'folder', indicator_2: '1' } },
      { sub_container: { top_container: top, type_2: 'folder', indicator_2: '2' } },
    ]);
    expect(report.dropped).toEqual([]);
  });

  test('follows chains of parents in whatever order, with several at their end', async () => {
    const { component } =
      await read(`<container id="i1" parent="f1" type="item">1</container><container id="b1" type="box" label="Audio [5]">1</container>
      <container id="i2" parent="f1" type="item">2</container><container id="f1" parent="b1" type="folder" label="F [6]">1</container>
      <container id="f2" parent="b1" type="folder">2</container><container parent="b1" type="item">3</container>`);
    const subs = (component['instances'] as readonly JsonObject[]).map((instance) =>
      objectOf(instance, 'sub_container'),
    );
    expect(subs.map((sub) => [sub?.['indicator_2'], sub?.['barcode_2'], sub?.['indicator_3']])).toEqual([
      ['1', '6', '1'],
      ['1', '6', '2'],
      // Of another type than those beside it: inside of the one before, as exports of two levels below one parent mean it.
      ['2', undefined, '3'],
    ]);
    expect(component['instances']).toMatchObject([{ instance_type: 'audio' }, { instance_type: 'audio' }, {}]);
  });

  test('ends where containers are each in the other', async () => {
    const { component } = await read(
      '<container id="a" parent="b" type="box">1</container><container id="b" parent="a" type="folder">2</container><container id="c" parent="c" type="reel">3</container>',
    );
    expect(component['instances']).toMatchObject([{ sub_container: { indicator_2: '1', indicator_3: '3' } }]);
  });

  test('reads nested containers and reports a fourth level', async () => {
    const { component, report } =
      await read(`<container type="box">1<container type="folder">2<container type="item">3<container type="leaf">4</container>
      </container></container></container>`);
    expect(component['instances']).toMatchObject([{ sub_container: { indicator_2: '2', indicator_3: '3' } }]);
    expect(report.dropped).toMatchObject([{ element: 'container', text: '4', reason: 'a fourth level of container' }]);
  });

  test('splits a barcode in round or square brackets off the label, which is the instance type', async () => {
    const { component, tops } = await read(
      '<container id="a" type="box" label="Audio (77)">1</container><container id="b" type="box" label="Wax Discs">2</container>',
    );
    expect(component['instances']).toMatchObject([{ instance_type: 'audio' }, { instance_type: 'wax discs' }]);
    expect(tops).toMatchObject([{ barcode: '77' }, { indicator: '2' }]);
  });

  test('takes no instance type from a label that repeats the container type, nor digital_object', async () => {
    const { component } = await read(
      '<container id="a" type="box" label="Box">1</container><container id="b" type="box" label="Digital Object">2</container>',
    );
    expect(component['instances']).toMatchObject([
      { instance_type: 'mixed_materials' },
      { instance_type: 'mixed_materials' },
    ]);
  });

  test('shares top containers across the document by barcode, or type and indicator', async () => {
    const c = (xml: string) => `<c level="file"><did>${title}${xml}</did></c>`;
    const { of, report } = await readDocument({
      dsc: [
        c('<container type="box" label="A [1]">1</container>'),
        c('<container type="box" label="B [1]">9</container>'),
        c('<container type="box" label="B [1]">9</container>'),
        c('<container type="box" label="B [1]"/>'),
        c('<container type="box">1</container>'),
        c('<container type="Box">1</container>'),
        c('<container type="reel">1</container>'),
      ].join(''),
    });
    expect(of('top_container')).toHaveLength(3);
    // A number that goes because of its barcode may be a slip, and is told once.
    expect(report.dropped).toMatchObject([{ text: '9', reason: 'the barcode 1 is of another container' }]);
  });

  test('links what is in the repository: container profiles by name, top containers by barcode', async () => {
    const { component, tops } = await read(
      '<container id="a" type="box" altrender="Letter">1</container><container id="b" label="X [5]" type="box">2</container>',
      {
        containerProfileUri: (name) => (name === 'Letter' ? '/container_profiles/3' : undefined),
        topContainerUri: (barcode) => (barcode === '5' ? '/repositories/2/top_containers/8' : undefined),
      },
    );
    expect(tops).toMatchObject([{ container_profile: { ref: '/container_profiles/3' } }]);
    expect(component['instances']).toMatchObject([
      {},
      { sub_container: { top_container: { ref: '/repositories/2/top_containers/8' } } },
    ]);
  });

  test('reports a container that says neither indicator nor barcode', async () => {
    const { component, report } = await read('<container type="box"/>');
    expect(component['instances']).toBeUndefined();
    expect(report.dropped).toMatchObject([{ element: 'container' }]);
  });
});
