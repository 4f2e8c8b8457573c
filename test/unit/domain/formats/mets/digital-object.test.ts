import { expect, it } from 'vitest';
import { digitalObjectMets } from '#domain/formats/mets/digital-object.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

const file = (file_uri: string, publish = true) => ({ file_uri, publish, use_statement: 'image' });
const component = (id: number, depth: number, ...file_versions: ReturnType<typeof file>[]) => ({
  depth,
  record: { uri: `/repositories/2/digital_object_components/${id}`, title: `c${id}`, file_versions },
});
const object = { uri: '/repositories/2/digital_objects/1', title: 'o', file_versions: [] };

it('keeps in the physical structure what has files and what stands above it', () => {
  const xml = digitalObjectMets(
    {
      object,
      components: [
        component(1, 1),
        component(2, 2, file('a')),
        component(3, 2),
        component(4, 1),
        component(5, 1),
        component(6, 2, file('b')),
      ],
    },
    'mods',
    makeExportContext(),
  );
  const physical = xml.slice(xml.indexOf('<structMap TYPE="physical">'));
  expect([...physical.matchAll(/LABEL="(\w+)"/g)].map((found) => found[1])).toEqual(['o', 'c1', 'c2', 'c5', 'c6']);
  expect([...physical.matchAll(/ORDER="(\d)" LABEL="c5"/g)].length).toBe(1);
  expect(xml).toContain('CREATEDATE="2026-01-02T03:04:05Z"');
});

it('numbers the divisions below each other one from the next, in each structure by itself', () => {
  const components = [
    component(1, 1),
    component(2, 2, file('a')),
    component(3, 3),
    component(4, 3, file('b')),
    component(5, 3, file('c')),
    component(6, 2),
    component(7, 1),
    component(8, 1),
    component(9, 2, file('d')),
  ];
  const xml = digitalObjectMets({ object, components }, 'mods', makeExportContext());
  const numbered = (type: string): readonly string[] => {
    const above: string[] = [];
    const structure = new RegExp(`<structMap TYPE="${type}">(.*?)</structMap>`, 's').exec(xml)?.[1] ?? '';
    return [...structure.matchAll(/<div ORDER="(\d+)" LABEL="(\w+)"[^>]*?(\/?)>|<\/div>/g)].flatMap(
      ([, order, label, ends]) => {
        const place = [...above, order].join('.');
        if (order === undefined) above.pop();
        else if (ends === '') above.push(order);
        return order === undefined ? [] : [`${place} ${label}`];
      },
    );
  };
  expect(numbered('logical')).toEqual([
    '1 o',
    '1.1 c1',
    '1.1.1 c2',
    '1.1.1.1 c3',
    '1.1.1.2 c4',
    '1.1.1.3 c5',
    '1.1.2 c6',
    '1.2 c7',
    '1.3 c8',
    '1.3.1 c9',
  ]);
  expect(numbered('physical')).toEqual(['1 o', '1.1 c1', '1.1.1 c2', '1.1.1.1 c4', '1.1.1.2 c5', '1.2 c8', '1.2.1 c9']);
});

it('writes no file section without files, and no unpublished file', () => {
  const xml = digitalObjectMets(
    { object, components: [component(1, 1, file('secret', false))] },
    'dc',
    makeExportContext(),
  );
  expect(xml).not.toMatch(/fileSec|secret|physical/);
  expect(xml).toContain('MDTYPE="DC"');
});
