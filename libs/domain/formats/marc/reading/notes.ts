// MARC 21 note fields to notes: one table by tag (behaviour-imports.md section 4, "Notes").
import type { JsonObject } from '../../../json.ts';
import { splitLongText } from '../../reading/content.ts';
import { textSubnotes } from '../../reading/note-records.ts';
import { escapeText } from '../../xml/escape.ts';
import { textsOfField } from './record.ts';
import type { MarcField } from './record.ts';

type NoteRule = { readonly type: string; readonly label: string };

const odd = (label: string): NoteRule => ({ type: 'odd', label });

/** Type and label of the note of each field. */
const rules: ReadonlyMap<string, NoteRule> = new Map([
  ['210', odd('Abbreviated Title')],
  ['222', odd('Key Title')],
  ['240', odd('Uniform Title')],
  ['242', odd('Translation of Title by Cataloging Agency')],
  ['246', odd('Varying Form of Title')],
  ['250', odd('Edition Statement')],
  ['254', odd('Musical Presentation Statement')],
  ['255', odd('Cartographic Mathematical Data')],
  ['257', odd('Country of Producing Entity')],
  ['258', odd('Philatelic Issue Date')],
  ['260', odd('Publication, Distribution, etc.')],
  ['342', odd('Geospatial Reference Data')],
  ['357', odd('Originator Dissemination Control')],
  ['500', odd('General Note')],
  ['501', odd('With Note')],
  ['502', odd('Dissertation Note')],
  ['505', odd('Formatted Contents Note')],
  ['507', odd('Scale Note for Graphic Material')],
  ['508', odd('Creation/Production Credits Note')],
  ['511', odd('Participant or Performer Note')],
  ['514', odd('Data Quality Note')],
  ['518', odd('Date/Time and Place of an Event Note')],
  ['521', odd('Target Audience Note')],
  ['522', odd('Geographic Coverage Note')],
  ['533', odd('Reproduction Note')],
  ['534', odd('Original Version Note')],
  ['563', odd('Binding Information')],
  ['740', odd('Added Entry - Uncontrolled Related/Analytical Title')],
  ['256', { type: 'physdesc', label: 'Computer File Characteristics' }],
  ['306', { type: 'physdesc', label: 'Playing Time' }],
  ['343', { type: 'physdesc', label: 'Planar Coordinate Data' }],
  ['340', { type: 'phystech', label: 'Physical Medium' }],
  ['352', { type: 'phystech', label: 'Digital Graphic Representation' }],
  ['538', { type: 'phystech', label: 'System Details Note' }],
  ['351', { type: 'arrangement', label: 'Organization and Arrangement of Materials' }],
  ['355', { type: 'accessrestrict', label: 'Security Classification Control' }],
  ['506', { type: 'accessrestrict', label: 'Restrictions on Access Note' }],
  ['504', { type: 'bibliography', label: 'Bibliography, etc. Note' }],
  ['510', { type: 'bibliography', label: 'Citation/References Note' }],
  ['581', { type: 'bibliography', label: 'Publications About Described Materials Note' }],
  ['513', { type: 'scopecontent', label: 'Type of Report and Period Covered Note' }],
  ['524', { type: 'prefercite', label: 'Preferred Citation of Described Materials Note' }],
  ['530', { type: 'altformavail', label: 'Additional Physical Form Available Note' }],
  ['535', { type: 'originalsloc', label: 'Location of Originals/Duplicates Note' }],
  ['540', { type: 'userestrict', label: 'Terms Governing Use and Reproduction Note' }],
  ['541', { type: 'acqinfo', label: 'Immediate Source of Acquisition Note' }],
  ['544', { type: 'relatedmaterial', label: 'Location of Other Archival Materials Note' }],
  ['562', { type: 'relatedmaterial', label: 'Copy and Version Identification Note' }],
  ['555', { type: 'otherfindaid', label: 'Cumulative Index/Finding Aids Note' }],
  ['561', { type: 'custodhist', label: 'Ownership and Custodial History' }],
  ['565', { type: 'materialspec', label: 'Case File Characteristics Note' }],
  ['583', { type: 'processinfo', label: 'Action Note' }],
  ['584', { type: 'accruals', label: 'Accumulation and Frequency of Use Note' }],
]);

const summaryRules: ReadonlyMap<string, NoteRule> = new Map([
  ['2', { type: 'scopecontent', label: 'Scope and Content' }],
  ['3', { type: 'abstract', label: 'Abstract' }],
  ['0', odd('Subject')],
  ['1', odd('Review')],
  ['4', odd('Content Advice')],
]);

const singlepart: ReadonlySet<string> = new Set(['physdesc', 'materialspec', 'abstract']);

/** The rule of a field: some depend on an indicator. */
function ruleOf(field: MarcField): NoteRule | undefined {
  if (field.tag === '520') return summaryRules.get(field.ind1) ?? odd('Summary');
  if (field.tag === '545')
    return {
      type: 'bioghist',
      label:
        field.ind1 === '0'
          ? 'Biographical sketch'
          : field.ind1 === '1'
            ? 'Administrative history'
            : 'Biographical or Historical Data',
    };
  if (field.tag === '246' && field.ind2 !== '0') return undefined;
  return rules.get(field.tag) ?? (/^59\d$/.test(field.tag) ? odd('Local Note') : undefined);
}

/** The note of a field, with all its texts; undefined where the table has none. `publish` is left to the preferences of the importer. */
export function readNoteField(field: MarcField): JsonObject | undefined {
  const rule = ruleOf(field);
  const text = noteText(field);
  if (rule === undefined || text === '') return undefined;
  const { type, label } = rule;
  if (type === 'bibliography')
    return { jsonmodel_type: 'note_bibliography', label, type, content: splitLongText(text) };
  if (singlepart.has(type)) return { jsonmodel_type: 'note_singlepart', type, label, content: splitLongText(text) };
  return { jsonmodel_type: 'note_multipart', type, label, subnotes: textSubnotes(text, false) };
}

/** All texts of a field but what steers it; $3 says which materials it is about, and comes first, $u is an address. Markup in it is escaped: MARC has none. */
export function noteText(field: MarcField): string {
  const about = field.subfields.filter(({ code }) => code === '3').map(({ text }) => `${text.replace(/:$/, '')}:`);
  return escapeText([...about, ...textsOfField(field, '')].join(' '));
}
