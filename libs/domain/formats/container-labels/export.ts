// Container labels of a collection (contract, exports 10). The job of the same name writes the same table.
import { defineExport } from '../define-export.ts';
import { identifierOf } from '../writing/context.ts';
import { labelRefs, labelRows } from './rows.ts';

/** The table. */
export const containerLabels = defineExport({
  paths: { resource: '/repositories/:repo_id/resource_labels/:id.tsv' },
  name: 'ContainerLabels',
  summary: 'Container labels of a collection',
  doc: 'Tab-separated, one row for each container in each series; unpublished records count, suppressed ones do not.',
  says: 'A header and rows.',
  mediaType: 'text/tab-separated-values',
  access: 'view_repository',
  unpublished: 'always',
  options: {},
  reads: 'tree',
  refs: labelRefs,
  write: ({ root, blocks }) => labelRows(root, blocks),
  file: {
    summary: 'File name and type of container labels',
    base: (record) => identifierOf(record),
    suffix: '_labels.tsv',
    example: 'MS001_20260102_030405_UTC__labels.tsv',
  },
});
