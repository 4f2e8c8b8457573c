// Rows of import sheets as records: accessions, digital objects with their components, locations, subjects (behaviour-imports.md section 7).
import type { JsonObject } from '../../json.ts';
import type { ReadingContext } from '../reading/context.ts';
import { readAgent } from './agent.ts';
import { listed, missingCell, properties, subRecord } from './cells.ts';
import type { CellType } from './cells.ts';
import {
  emitEvents,
  eventsIn,
  readDates,
  readLanguage,
  readManagement,
  readSubject,
  readUserDefined,
} from './parts.ts';
import type { CsvRow } from './rows.ts';

/** The accession of a row, with its agent, subject and events. */
export function emitAccession(context: ReadingContext, row: CsvRow): void {
  const fields = properties(context, row, 'accession_', {
    title: 'text',
    accession_date: 'day',
    access_restrictions: 'boolean',
    access_restrictions_note: 'text',
    acquisition_type: { list: 'accession_acquisition_type' },
    condition_description: 'text',
    content_description: 'text',
    disposition: 'text',
    general_note: 'text',
    inventory: 'text',
    provenance: 'text',
    publish: 'boolean',
    resource_type: { list: 'accession_resource_type' },
    restrictions_apply: 'boolean',
    retention_rule: 'text',
    use_restrictions: 'boolean',
    use_restrictions_note: 'text',
  });
  const ids = Object.fromEntries(
    [1, 2, 3, 4].flatMap((n) => {
      const id = row.cell(`accession_number_${n}`);
      return id === undefined ? [] : [[`id_${n - 1}`, id]];
    }),
  );
  if (ids['id_0'] === undefined) missingCell(row, 'accession_number_1');
  const uri = context.nextUri('accession');
  const { type, ...extent } = properties(context, row, 'extent_', {
    type: { list: 'extent_extent_type' },
    number: 'text',
    container_summary: 'text',
  });
  const counted = subRecord(
    'extent',
    { ...extent, ...(type === undefined ? {} : { extent_type: type }) },
    { portion: 'whole' },
  );
  context.emit({
    ...fields,
    ...ids,
    jsonmodel_type: 'accession',
    uri,
    ...listed('dates', readDates(context, row, { label: 'other', date_type: 'inclusive' }, 'refused')),
    ...listed('extents', [counted]),
    ...readLanguage(context, row, 'lang_material_'),
    ...readManagement(context, row, 'accession_'),
    ...readUserDefined(context, row),
    ...readAgent(context, row),
    ...readSubject(context, row),
  });
  emitEvents(context, row, 'accession_', uri);
}

/** Makes the reader of digital object rows of one job: components find their object among the rows before them. */
export function digitalObjectEmitter(): (context: ReadingContext, row: CsvRow) => void {
  const objects = new Map<string, { readonly uri: string; children: number }>();
  return (context, row) => {
    const id = row.cell('digital_object_id');
    const { is_component: isComponent } = properties(context, row, 'digital_object_', { is_component: 'boolean' });
    const common = digitalObjectFields(context, row);
    const managed = { ...readManagement(context, row, 'digital_object_'), ...readUserDefined(context, row) };
    const { level, type, restrictions } = properties(context, row, 'digital_object_', {
      level: { list: 'digital_object_level' },
      type: { list: 'digital_object_digital_object_type' },
      restrictions: 'boolean',
    });
    const componentId = row.cell('digital_object_component_id');
    if (isComponent === true) {
      if (id === undefined)
        return row.fault(
          'digital_object_id',
          "Component entries must have a 'digital_object_id' to link them to a top-level record",
        );
      const object = objects.get(id);
      if (object === undefined)
        return row.fault(
          'digital_object_id',
          'Components must be preceded by their top-level digital object in the CSV',
        );
      const ofObjects = { ...managed, level, type, restrictions: restrictions === true ? true : undefined };
      for (const [property] of Object.entries(ofObjects).filter(([, value]) => value !== undefined))
        context.report.dropText(row.line, `digital_object_${property}`, property, 'a component has no such part');
      for (const type of eventsIn(context, row, 'digital_object_'))
        context.report.dropText(row.line, `digital_object_${type}`, type, 'a component has no such part');
      context.emit({
        ...common,
        ...(componentId === undefined ? {} : { component_id: componentId }),
        jsonmodel_type: 'digital_object_component',
        uri: context.nextUri('digital_object_component'),
        digital_object: { ref: object.uri },
        position: object.children,
      });
      object.children += 1;
      return;
    }
    if (id === undefined) return missingCell(row, 'digital_object_id');
    context.report.dropText(row.line, 'digital_object_component_id', componentId ?? '', 'the row is of no component');
    const uri = context.nextUri('digital_object');
    objects.set(id, { uri, children: 0 });
    context.emit({
      ...common,
      ...managed,
      jsonmodel_type: 'digital_object',
      uri,
      digital_object_id: id,
      ...(level === undefined ? {} : { level }),
      ...(type === undefined ? {} : { digital_object_type: type }),
      ...(restrictions === undefined ? {} : { restrictions }),
    });
    emitEvents(context, row, 'digital_object_', uri);
  };
}

function digitalObjectFields(context: ReadingContext, row: CsvRow): JsonObject {
  const { type, ...extent } = properties(context, row, 'extent_', {
    type: { list: 'extent_extent_type' },
    number: 'text',
    portion: { list: 'extent_portion' },
    physical_details: 'text',
    dimensions: 'text',
    container_summary: 'text',
  });
  const version = properties(context, row, 'file_version_', {
    file_uri: 'text',
    publish: 'boolean',
    use_statement: { list: 'file_version_use_statement' },
    xlink_actuate_attribute: { list: 'file_version_xlink_actuate_attribute' },
    xlink_show_attribute: { list: 'file_version_xlink_show_attribute' },
    file_format_name: { list: 'file_version_file_format_name' },
    file_format_version: 'text',
    file_size_bytes: 'integer',
    checksum: 'text',
    checksum_method: { list: 'file_version_checksum_methods' },
    is_representative: 'boolean',
    caption: 'text',
  });
  const bytes = version['file_size_bytes'];
  return {
    ...properties(context, row, 'digital_object_', { title: 'text', publish: 'boolean' }),
    ...readLanguage(context, row, 'digital_object_'),
    ...listed('dates', readDates(context, row, { label: 'other', date_type: 'single' }, 'replaced')),
    ...listed('extents', [
      subRecord('extent', { ...extent, ...(type === undefined ? {} : { extent_type: type }) }, { portion: 'whole' }),
    ]),
    ...listed('file_versions', [
      subRecord('file_version', { ...version, ...(bytes === undefined ? {} : { file_size_bytes: Number(bytes) }) }),
    ]),
    ...readAgent(context, row),
    ...readSubject(context, row),
  };
}

/** The location of a row; `ownerUri` is the repository that owns it, where the job asks for that. */
export function emitLocation(context: ReadingContext, row: CsvRow, ownerUri: string | undefined): void {
  const text: CellType = 'text';
  const fields = properties(context, row, 'location_', {
    building: text,
    floor: text,
    room: text,
    area: text,
    barcode: text,
    classification: text,
    coordinate_1_label: text,
    coordinate_1_indicator: text,
    coordinate_2_label: text,
    coordinate_2_indicator: text,
    coordinate_3_label: text,
    coordinate_3_indicator: text,
    temporary: { list: 'location_temporary' },
  });
  if (fields['building'] === undefined) missingCell(row, 'location_building');
  context.emit({
    ...fields,
    jsonmodel_type: 'location',
    uri: context.nextUri('location'),
    ...(ownerUri === undefined ? {} : { owner_repo: { ref: ownerUri } }),
  });
}

/** The subject of a row of a subject sheet, with its document and its rights. */
export function emitSubject(context: ReadingContext, row: CsvRow): void {
  const vocabulary = context.vocabularyUri;
  const terms = [1, 2, 3, 4, 5].map((n) => {
    const term = row.cell(`term_${n}`);
    const given = row.cell(`term_type_${n}`);
    const type = context.fixed('subject_term_type', given ?? 'topical');
    if (term === undefined) return undefined;
    if (type === undefined) {
      row.fault(`term_type_${n}`, `No type of term: ${given ?? ''}`);
      return undefined;
    }
    return { jsonmodel_type: 'term', term, term_type: type, vocabulary };
  });
  if ([1, 2, 3, 4, 5].every((n) => row.cell(`term_${n}`) === undefined)) missingCell(row, 'term_1');
  const {
    license,
    xlink_actuate: actuate,
    xlink_show: show,
    xlink_title: title,
    xlink_role: role,
    xlink_arcrole: arcrole,
    last_verified_date: verified,
    ...rights
  } = properties(context, row, 'md_rights_dec_', {
    license: { list: 'metadata_license' },
    descriptive_note: 'text',
    file_uri: 'text',
    xlink_actuate: { list: 'file_version_xlink_actuate_attribute' },
    xlink_show: { list: 'file_version_xlink_show_attribute' },
    xlink_title: 'text',
    xlink_role: 'text',
    xlink_arcrole: 'text',
    last_verified_date: 'date',
  });
  const named = {
    license,
    file_version_xlink_actuate_attribute: actuate,
    file_version_xlink_show_attribute: show,
    xlink_title_attribute: title,
    xlink_role_attribute: role,
    xlink_arcrole_attribute: arcrole,
    last_verified_date: verified,
  };
  const declared = Object.fromEntries(
    Object.entries({ ...rights, ...named }).filter(([, value]) => value !== undefined),
  );
  const body: JsonObject = {
    ...properties(context, row, 'subject_', {
      authority_id: 'text',
      source: { list: 'subject_source' },
      scope_note: 'text',
    }),
    ...listed('terms', terms),
    vocabulary,
    publish: true,
    ...listed('external_documents', [
      subRecord(
        'external_document',
        properties(context, row, 'external_document_', { title: 'text', location: 'text', publish: 'boolean' }),
      ),
    ]),
    ...listed('metadata_rights_declarations', [subRecord('metadata_rights_declaration', declared)]),
  };
  if (body['source'] === undefined) missingCell(row, 'subject_source');
  context.emitOnce('subject', JSON.stringify(body), body);
}
