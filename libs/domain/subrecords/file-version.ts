// One file of a digital object: its address, use and technical facts.
// Properties follow the contract (schemas.json) in its order.
import { textOf } from '../json.ts';
import { fileVersionIdentifier } from '../rules/part-uris.ts';
import type { Rule, Schema } from '../schema/property.ts';

/** Contract 3.2: the representative file is one that the public may see. */
const representativeIsPublished: Rule = (file, report) => {
  if (file['is_representative'] === true && file['publish'] !== true)
    report('is_representative', 'representative_file_version_must_be_published');
};

/** Contract schemas.json, `file_version`. */
export const FileVersion: Schema = {
  name: 'file_version',
  properties: {
    identifier: { type: 'string', readonly: true },
    file_uri: { type: 'string', maxLength: 16384, required: 'error' },
    publish: { type: 'boolean' },
    use_statement: { type: 'string', enumeration: 'file_version_use_statement' },
    xlink_actuate_attribute: { type: 'string', enumeration: 'file_version_xlink_actuate_attribute' },
    xlink_show_attribute: { type: 'string', enumeration: 'file_version_xlink_show_attribute' },
    file_format_name: { type: 'string', enumeration: 'file_version_file_format_name' },
    file_format_version: { type: 'string', maxLength: 255 },
    file_size_bytes: { type: 'integer' },
    is_representative: { type: 'boolean', default: false },
    checksum: { type: 'string', maxLength: 255 },
    checksum_method: { type: 'string', enumeration: 'file_version_checksum_methods' },
    caption: { type: 'string', maxLength: 16384 },
    derived_from: { type: 'uri', to: ['digital_object', 'digital_object_component'], readonly: true, release: 'R-B' },
    link_uri: { type: 'string', maxLength: 16384, readonly: true, release: 'R-B' },
  },
  audited: true,
  shows: [
    {
      property: 'identifier',
      of: ({ kind, id, place }) => fileVersionIdentifier(kind, id, place),
      copied: {
        as: 'representative_file_version',
        from: 'file_versions',
        next: { property: 'link_uri', of: (file) => (file['publish'] === true ? textOf(file, 'file_uri') : undefined) },
      },
    },
  ],
  publishable: true,
  lateRules: [representativeIsPublished],
  onlyOne: { flags: ['is_representative'] },
};
