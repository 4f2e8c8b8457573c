// What types and controlled values are called: words of the console where it has some, else the labels of the service, else the value itself.
import { effect, signal } from '@preact/signals';
import type { Json } from '../../libs/domain/json.ts';
import { isObject, textOf } from '../../libs/domain/json.ts';
import type { germanNames } from './edit/german.ts';
import type { germanValues } from './words/german-values.ts';
import { isWord, language, t } from './words.ts';

/** The lists of the properties whose values are controlled and whose list is not called as they are. */
const lists: { readonly [property: string]: readonly string[] } = {
  level: ['archival_record_level'],
  extent_type: ['extent_extent_type'],
  portion: ['extent_portion'],
  date_type: ['date_type'],
  certainty: ['date_certainty'],
  era: ['date_era'],
  calendar: ['date_calendar'],
  label: ['date_label', 'event_event_type'],
  role: ['linked_agent_role'],
  relator: ['linked_agent_archival_record_relators'],
  language: ['language_iso639_2'],
  script: ['script_iso15924'],
  instance_type: ['instance_instance_type'],
  resource_type: ['resource_resource_type'],
  acquisition_type: ['accession_acquisition_type'],
  finding_aid_status: ['resource_finding_aid_status'],
  finding_aid_language: ['language_iso639_2'],
  finding_aid_script: ['script_iso15924'],
  finding_aid_description_rules: ['resource_finding_aid_description_rules'],
  type: [
    'note_multipart_type',
    'note_singlepart_type',
    'note_digital_object_type',
    'note_bibliography_type',
    'container_type',
  ],
  type_2: ['container_type'],
  type_3: ['container_type'],
  term_type: ['subject_term_type'],
  source: ['subject_source', 'name_source'],
  rules: ['name_rule'],
  name_order: ['name_person_name_order'],
  event_type: ['event_event_type'],
  use_statement: ['file_version_use_statement'],
  file_format_name: ['file_version_file_format_name'],
  xlink_show_attribute: ['file_version_xlink_show_attribute'],
  xlink_actuate_attribute: ['file_version_xlink_actuate_attribute'],
  checksum_method: ['file_version_checksum_methods'],
  local_access_restriction_type: ['restriction_type'],
  digital_object_type: ['digital_object_digital_object_type'],
};

const labels = signal<Json>(null);
let asked = false;

/** Asks for the labels of the service, once. Until they are there, and where they cannot be had, values stand for themselves. */
export function readLabels(): void {
  readNames();
  if (asked) return;
  asked = true;
  fetch(new URL('../../labels.json', import.meta.url))
    .then(async (reply) => {
      if (reply.ok) labels.value = (await reply.json()) as Json;
    })
    .catch(() => {
      asked = false;
    });
}

type German = { readonly values: typeof germanValues; readonly properties: typeof germanNames };
const german = signal<German | null>(null);
let isFollowing = false;

/** Loads what properties and values are called in the language of the console, where that is not English, and when it is chosen. Until they are there, they are called in English. */
export function readNames(): void {
  if (isFollowing) return;
  isFollowing = true;
  effect(() => {
    if (language.value !== 'de' || german.peek() !== null) return;
    Promise.all([import('./words/german-values.ts'), import('./edit/german.ts')]).then(
      ([values, names]) => {
        german.value = { values: values.germanValues, properties: names.germanNames };
      },
      () => undefined,
    );
  });
}

// The lists of codes that browsers know the names of.
const codes: { readonly [list: string]: Intl.DisplayNamesType } = {
  language_iso639_2: 'language',
  script_iso15924: 'script',
  country_iso_3166: 'region',
};

/** What a value is called in German; undefined: in English too, or it is not known. */
function germanName(list: string, value: string): string | undefined {
  if (language.value !== 'de') return undefined;
  const found = german.value?.values[list]?.[value];
  const type = codes[list];
  if (found !== undefined || type === undefined) return found;
  try {
    return new Intl.DisplayNames('de', { type, fallback: 'none' }).of(value);
  } catch {
    // It is no code of the sort.
    return undefined;
  }
}

/** What a permission is called. */
export const permissionName = (code: string): string => germanName('permission', code) ?? words(code);

/** A name of the interface as words: `physical_location` is "Physical location". */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ').trim();
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a property is called. */
export function propertyName(property: string): string {
  const word = `p_${property}`;
  if (isWord(word)) return t(word);
  // As the forms call it.
  return (language.value === 'de' ? german.value?.properties[property] : undefined) ?? words(property);
}

/** What a type of records is called. */
export function typeName(type: string): string {
  const word = `type_${type}`;
  return isWord(word) ? t(word) : words(type);
}

/** What a value of a controlled list is called. */
export function listLabel(list: string, value: string): string {
  const word = `v_${value}`;
  if (list === 'archival_record_level' && isWord(word)) return t(word);
  const named = germanName(list, value);
  if (named !== undefined) return named;
  const all = isObject(labels.value) ? labels.value : {};
  const found = all[list];
  return (isObject(found) ? textOf(found, value) : undefined) ?? words(value);
}

/** What a controlled value of a property is called; texts that are in no list are as they are. */
export function valueName(property: string, value: string): string {
  const word = `v_${value}`;
  if ((property === 'level' || property === 'status') && isWord(word)) return t(word);
  const all = isObject(labels.value) ? labels.value : {};
  for (const list of [property, ...(lists[property] ?? [])]) {
    const found = all[list];
    const label = germanName(list, value) ?? (isObject(found) ? textOf(found, value) : undefined);
    if (label !== undefined) return label;
  }
  return lists[property] === undefined ? value : words(value);
}
