// A whole collection as lines of JSON, for programs; ours.
import { componentOption, defineExport, flag, refsOption } from '../define-export.ts';
import { unpublishedOption } from '../writing/finding-aid.ts';
import { findingAidRefs } from '../writing/refs.ts';
import { ndjsonLines } from './lines.ts';

/** The export of a collection as NDJSON, which may be gone on with behind a component. */
export const recordLines = defineExport({
  paths: { resource: '/repositories/:repo_id/resources/:id/records.ndjson' },
  name: 'RecordLines',
  summary: 'A whole collection, one record a line',
  doc: 'The resource, then its components in reading order, each as a GET answers it, with its refs resolved to what is stored of their records. A linked record stands as `_resolved` beside the first ref to it at such a place of a record; later refs to it are bare. A client that was cut off goes on with `after`: the id of the last component it has; linked records are then embedded anew.',
  says: 'Lines of JSON.',
  mediaType: 'application/x-ndjson',
  access: 'view_repository',
  unpublished: 'include_unpublished',
  options: {
    include_unpublished: unpublishedOption,
    after: componentOption({ doc: 'Id of the component after which to begin; the resource is then left out.' }),
    resolve: refsOption({
      default: findingAidRefs,
      doc: 'Ref properties to embed; those of finding aids where none is named.',
    }),
    repeat_resolved: flag({
      default: false,
      doc: 'Linked records beside each ref to them, so that each line stands alone.',
    }),
  },
  refusals: { 400: '`after` is no record of the tree.' },
  reads: 'tree',
  refs: (options) => options.resolve,
  computed: true,
  after: (options) => options.after,
  write: ({ root, blocks }, context, options) =>
    ndjsonLines(options.after === null ? root : null, blocks, {
      includeUnpublished: context.includesUnpublished,
      repeatsResolved: options.repeat_resolved,
    }),
});
