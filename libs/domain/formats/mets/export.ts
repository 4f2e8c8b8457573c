// METS of digital objects (contract behaviour-exports 9).
import { textOf } from '../../json.ts';
import { defineExport, flag, textOption } from '../define-export.ts';
import { digitalObjectMets } from './digital-object.ts';

/** A digital object with its components, their files and their structure. */
export const mets = defineExport({
  paths: { digital_object: '/repositories/:repo_id/digital_objects/mets/:id.xml' },
  name: 'Mets',
  summary: 'A digital object as METS',
  says: 'METS with the files and the structure of the object.',
  mediaType: 'application/xml',
  access: 'view_repository',
  unpublished: 'include_unpublished',
  options: {
    dmd: textOption({
      doc: 'How objects are described inside: `mods`, which any other text stands for too, or `dc`.',
    }),
    include_unpublished: flag({ doc: 'Unpublished notes, agents, files and components as well.' }),
  },
  reads: 'digital object',
  write: (tree, context, { dmd }) => digitalObjectMets(tree, dmd?.toLowerCase() === 'dc' ? 'dc' : 'mods', context),
  file: {
    summary: 'File name and type of the export of a digital object',
    base: (record) => textOf(record, 'digital_object_id') ?? '',
    suffix: '_mets.xml',
    example: 'DO001_20260102_030405_UTC__mets.xml',
  },
});
