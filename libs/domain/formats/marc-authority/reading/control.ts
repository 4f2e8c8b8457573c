// Leader, control fields and numbers of a MARC 21 authority record as the control sub-records of an agent (behaviour-imports.md section 5).
import type { Json, JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { firstOf, textsOfField } from '../../marc/reading/record.ts';
import type { MarcRecord } from '../../marc/reading/record.ts';
import { reportField, reportFurther, reportUnused } from '../../marc/reading/report.ts';
import { collapseSpace } from '../../xml/tree.ts';

const statuses: Readonly<Record<string, string>> = {
  n: 'new',
  a: 'upgraded',
  c: 'revised_corrected',
  d: 'deleted',
  o: 'cancelled_obsolete',
  s: 'deleted_split',
  x: 'deleted_replaced',
};

/** Positions of field 008 that are properties, with what each code means. A blank means nothing here: peers' tables write it `#`. */
const positions: readonly {
  readonly at: number;
  readonly property: string;
  readonly codes: Readonly<Record<string, string>>;
}[] = [
  {
    at: 7,
    property: 'romanization',
    codes: {
      a: 'int_std',
      b: 'nat_std',
      c: 'nl_assoc_std',
      d: 'nl_bib_agency_std',
      e: 'local_standard',
      f: 'unknown_standard',
      g: 'conv_rom_cat_agency',
      n: 'not_applicable',
    },
  },
  {
    at: 28,
    property: 'government_agency_type',
    codes: {
      '#': 'ngo',
      a: 'sac',
      c: 'multilocal',
      f: 'fed',
      i: 'int_gov',
      l: 'local',
      m: 'multistate',
      o: 'undetermined',
      s: 'provincial',
      u: 'unknown',
      z: 'other',
      '|': 'natc',
    },
  },
  {
    at: 29,
    property: 'reference_evaluation',
    codes: { a: 'tr_consistent', b: 'tr_inconsistent', n: 'not_applicable', '|': 'natc' },
  },
  {
    at: 32,
    property: 'name_type',
    codes: { a: 'differentiated', b: 'undifferentiated', n: 'not_applicable', '|': 'natc' },
  },
  {
    at: 33,
    property: 'level_of_detail',
    codes: {
      a: 'fully_established',
      b: 'memorandum',
      c: 'provisional',
      d: 'preliminary',
      n: 'not_applicable',
      '|': 'natc',
    },
  },
  {
    at: 38,
    property: 'modified_record',
    codes: { '#': 'not_modified', s: 'shortened', x: 'missing_characters', '|': 'natc' },
  },
  {
    at: 39,
    property: 'cataloging_source',
    codes: { '#': 'nat_bib_agency', c: 'ccp', d: 'other', u: 'unknown', '|': 'natc' },
  },
];

/** Tags of fields this module reads. */
export const controlTags: ReadonlySet<string> = new Set(['010', '016', '024', '035', '040']);

/** The properties; the maintenance history only with `hasEvents`. */
export function readAuthorityControl(
  context: ReadingContext,
  record: MarcRecord,
  hasEvents: boolean,
): Readonly<Record<string, Json>> {
  const fixed = record.controls.get('008') ?? '';
  const cataloguing = record.fields.find((field) => field.tag === '040');
  reportCataloguing(context, record);
  const agency =
    (cataloguing === undefined ? undefined : firstOf(cataloguing, 'a')) ?? record.controls.get('003')?.trim();
  const given = cataloguing === undefined ? undefined : firstOf(cataloguing, 'b');
  const coded = { b: 'mul', e: 'eng', f: 'fre' }[fixed.charAt(8)];
  const language = [given, coded]
    .map((code) => (code === undefined ? undefined : context.fixed('language_iso639_2', code)))
    .find((code) => code !== undefined);
  const control: Record<string, Json> = {
    jsonmodel_type: 'agent_record_control',
    maintenance_status: statuses[record.leader.charAt(5)] ?? 'new',
  };
  if (agency !== undefined && agency !== '') control['maintenance_agency'] = agency;
  if (language !== undefined) control['language'] = language;
  for (const { at, property, codes } of positions) {
    const value = codes[fixed.charAt(at)];
    if (value !== undefined) control[property] = value;
  }
  const others = cataloguing === undefined ? [] : textsOfField(cataloguing, 'd').filter((code) => code !== agency);
  const rules = cataloguing === undefined ? [] : textsOfField(cataloguing, 'e');
  return {
    agent_record_controls: [control],
    ...listed(
      'agent_other_agency_codes',
      others.map((code) => ({ jsonmodel_type: 'agent_other_agency_codes', maintenance_agency: code })),
    ),
    ...listed(
      'agent_conventions_declarations',
      rules.map((rule) => ({
        jsonmodel_type: 'agent_conventions_declaration',
        name_rule: context.controlled('name_rule', rule),
      })),
    ),
    ...listed('agent_record_identifiers', identifiers(context, record)),
    ...listed(
      'agent_maintenance_histories',
      hasEvents ? histories(record, cataloguing === undefined ? undefined : firstOf(cataloguing, 'd')) : [],
    ),
  };
}

/** Notes what of 040 is in no property: what is no language here as what is not imported. */
function reportCataloguing(context: ReadingContext, record: MarcRecord): void {
  const [field, ...further] = record.fields.filter(({ tag }) => tag === '040');
  for (const other of further) reportField(context, other, 'only the first field 040 is imported');
  if (field === undefined) return;
  const isLanguage = context.fixed('language_iso639_2', firstOf(field, 'b') ?? '') !== undefined;
  reportUnused(context, field, isLanguage ? 'abde' : 'ade');
  reportFurther(context, field, isLanguage ? 'ab' : 'a');
}

const listed = (property: string, list: readonly JsonObject[]): Readonly<Record<string, Json>> =>
  list.length === 0 ? {} : { [property]: list };

/** Numbers in the order 001, 010, 016, 024, 035; the first is the primary one. A field that repeats 001 says which number that is. */
function identifiers(context: ReadingContext, record: MarcRecord): readonly JsonObject[] {
  const found: { readonly text: string; readonly source: string; readonly type?: string }[] = [];
  for (const tag of ['010', '016', '024', '035']) {
    for (const field of record.fields) {
      if (field.tag !== tag) continue;
      const text = firstOf(field, 'a');
      if (text === undefined) {
        reportField(context, field, 'a number without subfield a');
        continue;
      }
      reportFurther(context, field, 'a');
      const scheme = firstOf(field, '2');
      const source = { '010': 'naf', '016': 'lac', '024': scheme }[tag] ?? 'local';
      const isOfCongress = tag === '010' || (tag === '035' && text.startsWith('(DLC)'));
      const type = isOfCongress ? 'loc' : field.ind1 === '7' ? 'local' : undefined;
      found.push({ text, source, ...(type === undefined ? {} : { type }) });
      reportUnused(context, field, scheme === source ? 'a2' : 'a');
    }
  }
  const number = record.controls.get('001')?.trim() ?? '';
  const repeated = found.find(({ text }) => text === collapseSpace(number));
  // The Library of Congress repeats its control number in 010.
  const hasOwn = record.fields.some((field) => field.tag === '010');
  const isPassedOver = number === '' || (record.controls.get('003')?.trim() === 'DLC' && hasOwn);
  const numbers = isPassedOver
    ? found
    : [repeated ?? { text: number, source: 'local' }, ...found.filter((each) => each !== repeated)];
  return numbers.map(({ text, source, type }, index) => ({
    jsonmodel_type: 'agent_record_identifier',
    primary_identifier: index === 0,
    record_identifier: text,
    source: context.controlled('name_source', source),
    ...(type === undefined ? {} : { identifier_type: type }),
  }));
}

/** Field 005 and the day of entry in 008: both `created` by a machine, as peers write them. */
function histories(record: MarcRecord, agent: string | undefined): readonly JsonObject[] {
  const stamp = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(record.controls.get('005') ?? '');
  const entered = /^(\d)(\d)(\d\d)(\d\d)/.exec(record.controls.get('008') ?? '');
  const days = [
    ...(stamp === null ? [] : [`${stamp[1]}-${stamp[2]}-${stamp[3]}T${stamp[4]}:${stamp[5]}:${stamp[6]}Z`]),
    // Two digits of the year: below 70 they are of this century.
    ...(entered === null
      ? []
      : [`${Number(entered[1]) < 7 ? '20' : '19'}${entered[1]}${entered[2]}-${entered[3]}-${entered[4]}`]),
  ];
  return days
    .filter((day) => !Number.isNaN(Date.parse(day)))
    .map((day) => ({
      jsonmodel_type: 'agent_maintenance_history',
      maintenance_event_type: 'created',
      maintenance_agent_type: 'machine',
      event_date: day,
      agent: agent ?? 'Missing in File',
    }));
}
