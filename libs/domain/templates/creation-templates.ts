// Prefilled templates (contract trees-and-jobs 6.7): a row for each archival object of a resource, in which people enter containers or
// digital objects to be made. Four lines of headings, told by text in their first column: what it is, groups, codes, titles.
import { csvLine } from '../formats/csv/write.ts';

/** A component and its resource, as rows of templates tell them. */
export type TemplateRow = {
  readonly id: number;
  readonly uri: string;
  readonly refId: string;
  readonly componentId: string | null;
  readonly title: string;
};
/** The resource of a template. */
export type TemplateResource = {
  readonly uri: string;
  readonly title: string;
  readonly eadId: string | null;
  readonly identifier: string;
};

type Column = {
  readonly code: string;
  readonly title: string;
  readonly group: string;
  readonly fill?: (row: TemplateRow, resource: TemplateResource) => string | number | null;
};

/** A template: the name of its file, without the resource's id, and its columns after the first. */
export type CreationTemplate = {
  readonly name: string;
  readonly fileName: (resourceId: number) => string;
  readonly says: string;
  readonly columns: readonly Column[];
};

const blank = (group: string, columns: { readonly [code: string]: string }): readonly Column[] =>
  Object.entries(columns).map(([code, title]) => ({ code, title, group }));

const file = (prefix: string, label: string): { readonly [code: string]: string } =>
  Object.fromEntries(
    [
      ['file_uri', 'File URI'],
      ['use_statement', 'Use Statement'],
      ['xlink_actuate_attribute', 'XLink Actuate Attribute'],
      ['xlink_show_attribute', 'XLink Show Attribute'],
      ['file_format', 'File Format'],
      ['file_format_version', 'File Format Version'],
      ['file_size', 'File Size'],
      ['checksum', 'Checksum'],
      ['checksum_method', 'Checksum Method'],
      ['caption', 'Caption'],
    ].map(([code, title]) => [`${prefix}_${code}`, `${label} ${title}`]),
  );
const numbered = (codes: { readonly [code: string]: string }, times: number): { readonly [code: string]: string } =>
  Object.assign(
    {},
    ...Array.from({ length: times }, (_, index) =>
      Object.fromEntries(
        Object.entries(codes).map(([code, title]) =>
          index === 0 ? [code, `${title} (1)`] : [`${code}_${index + 1}`, `${title} (${index + 1})`],
        ),
      ),
    ),
  );
const agents = (kind: string, label: string, times: number): { readonly [code: string]: string } =>
  Object.assign(
    {},
    ...Array.from({ length: times }, (_, index) =>
      Object.fromEntries(
        [
          ['agent_record_id', 'Record ID'],
          ['agent_header', 'Header'],
          ['agent_role', 'Role'],
          ['agent_relator', 'Relator'],
        ].map(([code, title]) => [`${kind}_${code}_${index + 1}`, `${label} ${index + 1} ${title}`]),
      ),
    ),
  );

/** The template for top containers. */
const topContainerTemplate: CreationTemplate = {
  name: 'top_container_creation',
  fileName: (id) => `resource_${id}_top_containers.csv`,
  says: 'Top containers to be made or linked: one row for each archival object',
  columns: [
    { code: 'archival_object_id', title: 'Archival Object ID', group: 'Archival Object', fill: (row) => row.id },
    { code: 'ref_id', title: 'Ref ID', group: 'Archival Object', fill: (row) => row.refId },
    {
      code: 'component_id',
      title: 'Component Unique Identifier',
      group: 'Archival Object',
      fill: (row) => row.componentId,
    },
    {
      code: 'archival_object_title',
      title: 'Archival Object Title',
      group: 'Archival Object',
      fill: (row) => row.title,
    },
    { code: 'resource_title', title: 'Resource Title', group: 'Resource', fill: (_, resource) => resource.title },
    { code: 'ead_id', title: 'EAD ID', group: 'Resource', fill: (_, resource) => resource.eadId },
    { code: 'identifier', title: 'Resource Identifier', group: 'Resource', fill: (_, resource) => resource.identifier },
    ...blank('Instance', { instance_type: 'Instance Type' }),
    ...blank('Top Container', {
      top_container_id: 'Top Container ID',
      top_container_type: 'Top Container Type',
      top_container_indicator: 'Top Container Indicator',
      top_container_barcode: 'Top Container Barcode',
      container_profile_id: 'Container Profile ID',
    }),
    ...blank('Child', { child_type: 'Child Type', child_indicator: 'Child Indicator', child_barcode: 'Child Barcode' }),
    ...blank('Location', { location_id: 'Location ID' }),
  ],
};

/** Codes of columns that a sheet of top containers may have: those of the template, and those that the templates in the wild have for people to read. */
export const topContainerCodes: ReadonlySet<string> = new Set([
  ...topContainerTemplate.columns.map(({ code }) => code),
  ...['root_id', 'component ID', 'title', 'resource_id'],
]);

/** The template for digital objects, in the form of either release. */
export function digitalObjectTemplate(release: 'R-A' | 'R-B'): CreationTemplate {
  const object = 'Digital Object';
  const ofRelease =
    release === 'R-A'
      ? blank(object, {
          publish: 'Publish',
          digital_object_link: 'URL of Linked-out Digital Object',
          digital_object_link_publish: 'Publish Linked-out',
          thumbnail: 'URL of Thumbnail',
          thumbnail_publish: 'Publish Thumbnail',
        })
      : [
          ...blank(object, {
            digital_object_publish: 'Publish',
            level: 'Level',
            digital_object_type: 'Type',
            restrictions: 'Restrictions',
          }),
          ...blank(
            'Dates',
            numbered(
              {
                dates_label: 'Date Label',
                begin: 'Begin',
                end: 'End',
                date_type: 'Date Type',
                expression: 'Expression',
                date_certainty: 'Certainty',
              },
              2,
            ),
          ),
          ...blank('File Versions', {
            ...file('rep', 'Representative'),
            nonrep_file_uri: 'Other File URI',
            nonrep_publish: 'Other Publish',
            ...file('nonrep', 'Other'),
          }),
          ...blank(
            'Notes',
            numbered(
              {
                note_type: 'Note Type',
                note_label: 'Note Label',
                note_publish: 'Note Publish',
                note_content: 'Note Content',
              },
              2,
            ),
          ),
          ...blank('Agents', {
            ...agents('people', 'Person', 5),
            ...agents('families', 'Family', 2),
            ...agents('corporate_entities', 'Corporate Entity', 3),
          }),
          ...blank(
            'Subjects',
            Object.fromEntries(
              [1, 2].flatMap((n) =>
                [
                  ['record_id', 'Record ID'],
                  ['term', 'Term'],
                  ['type', 'Type'],
                  ['source', 'Source'],
                ].map(([code, title]) => [`subject_${n}_${code}`, `Subject ${n} ${title}`]),
              ),
            ),
          ),
          ...blank(
            'Extents',
            numbered(
              {
                portion: 'Portion',
                number: 'Number',
                extent_type: 'Extent Type',
                container_summary: 'Container Summary',
                physical_details: 'Physical Details',
                dimensions: 'Dimensions',
              },
              2,
            ),
          ),
        ];
  return {
    name: 'digital_object_creation',
    fileName: (id) => `resource_${id}digital_objects.csv`,
    says: 'Digital objects to be made: one row for each archival object',
    columns: [
      ...blank('Collection', { collection_id: 'Collection ID', ead: 'EAD ID', ref_id: 'Ref ID' }),
      { code: 'res_uri', title: 'Resource URI', group: 'Collection', fill: (_, resource) => resource.uri },
      ...blank('Archival Object', { ao_ref_id: 'Archival Object Ref ID' }),
      { code: 'ao_uri', title: 'Archival Object URI', group: 'Archival Object', fill: (row) => row.uri },
      ...blank(object, { digital_object_id: 'Identifier', digital_object_title: 'Title' }),
      ...ofRelease,
    ],
  };
}

/** The names of the templates. */
export const creationTemplateNames = ['top_container_creation', 'digital_object_creation'] as const;
export type CreationTemplateName = (typeof creationTemplateNames)[number];

/** The template of a name, in the form of either release. */
export const creationTemplateOf = (name: CreationTemplateName, release: 'R-A' | 'R-B'): CreationTemplate =>
  name === 'top_container_creation' ? topContainerTemplate : digitalObjectTemplate(release);

/** Codes of the columns that templates come with texts in, where csvLine may have marked them. */
export const prefilledCodes: ReadonlySet<string> = new Set(
  [topContainerTemplate, digitalObjectTemplate('R-A'), digitalObjectTemplate('R-B')].flatMap(({ columns }) =>
    columns.flatMap(({ code, fill }) => (fill === undefined ? [] : [code])),
  ),
);

/** The lines of headings. The third holds the codes. */
export function templateHead({ says, columns }: CreationTemplate): string {
  return [
    csvLine([says, ...columns.map(() => null)]),
    csvLine(['Groups', ...columns.map(({ group }) => group)]),
    csvLine(['Field codes: do not change this row', ...columns.map(({ code }) => code)]),
    csvLine(['Field names', ...columns.map(({ title }) => title)]),
  ].join('');
}

/** The line of a component; its first cell is empty. */
export function templateLine({ columns }: CreationTemplate, row: TemplateRow, resource: TemplateResource): string {
  return csvLine([null, ...columns.map(({ fill }) => fill?.(row, resource) ?? null)]);
}
