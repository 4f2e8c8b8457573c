// What whole trees show of a record (contract, behaviour-records 4.1).
import { expect, it } from 'vitest';
import type { TreeRecord } from '#domain/tree/nested.ts';
import { nestedNode, nestedRoot, smallNode } from '#domain/tree/nested.ts';

const around = { containers: new Map([['/c/1', { indicator: '9' }]]), digitalObjects: null };
const record = (kind: string, body: object): TreeRecord => ({
  id: 1,
  uri: '/u/1',
  kind,
  label: 'Label',
  publish: null,
  suppressed: false,
  body: JSON.parse(JSON.stringify(body)),
});
const instances = [
  { instance_type: 'text', sub_container: { top_container: { ref: '/c/1' } } },
  { instance_type: 'digital_object', digital_object: { ref: '/d/1' } },
];

it('names a container without a type Container, with all seven keys', () => {
  const node = nestedNode(record('archival_object', { level: 'file', instances, component_id: '' }), around);
  expect(node).toEqual({
    title: 'Label',
    id: 1,
    node_type: 'archival_object',
    publish: false,
    suppressed: false,
    record_uri: '/u/1',
    level: 'file',
    instance_types: ['text', 'digital_object'],
    containers: [
      {
        type_1: 'Container',
        indicator_1: '9',
        type_2: null,
        indicator_2: null,
        barcode_2: null,
        type_3: null,
        indicator_3: null,
      },
    ],
  });
});

it('says the form of the tree at the root, under its own title', () => {
  expect(nestedRoot(record('classification', { title: 'Own', identifier: 'I' }), around)).toMatchObject({
    jsonmodel_type: 'classification_tree',
    title: 'Own',
    identifier: 'I',
  });
});

it('leaves out what a node of the small tree does not have', () => {
  expect(smallNode(record('archival_object', { component_id: '', instances: [] }), around)).toEqual({
    title: 'Label',
    uri: '/u/1',
  });
  expect(smallNode(record('archival_object', { ref_id: 'r', instances }), around)).toEqual({
    title: 'Label',
    uri: '/u/1',
    ref_id: 'r',
    container: '9',
  });
});
