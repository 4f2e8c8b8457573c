import { effect, signal } from '@preact/signals';
import { isObject, textOf } from '../../libs/domain/json.js';
import { isWord, language, t } from './words.js';
const lists = {
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
const labels = signal(null);
let asked = false;
export function readLabels() {
    readNames();
    if (asked)
        return;
    asked = true;
    fetch(new URL('../../labels.json', import.meta.url))
        .then(async (reply) => {
        if (reply.ok)
            labels.value = (await reply.json());
    })
        .catch(() => {
        asked = false;
    });
}
const german = signal(null);
let isFollowing = false;
export function readNames() {
    if (isFollowing)
        return;
    isFollowing = true;
    effect(() => {
        if (language.value !== 'de' || german.peek() !== null)
            return;
        Promise.all([import('./words/german-values.js'), import('./edit/german.js')]).then(([values, names]) => {
            german.value = { values: values.germanValues, properties: names.germanNames };
        }, () => undefined);
    });
}
const codes = {
    language_iso639_2: 'language',
    script_iso15924: 'script',
    country_iso_3166: 'region',
};
function germanName(list, value) {
    if (language.value !== 'de')
        return undefined;
    const found = german.value?.values[list]?.[value];
    const type = codes[list];
    if (found !== undefined || type === undefined)
        return found;
    try {
        return new Intl.DisplayNames('de', { type, fallback: 'none' }).of(value);
    }
    catch {
        return undefined;
    }
}
export const permissionName = (code) => germanName('permission', code) ?? words(code);
export function words(name) {
    const text = name.replaceAll('_', ' ').trim();
    return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1);
}
export function propertyName(property) {
    const word = `p_${property}`;
    if (isWord(word))
        return t(word);
    return (language.value === 'de' ? german.value?.properties[property] : undefined) ?? words(property);
}
export function typeName(type) {
    const word = `type_${type}`;
    return isWord(word) ? t(word) : words(type);
}
export function listLabel(list, value) {
    const word = `v_${value}`;
    if (list === 'archival_record_level' && isWord(word))
        return t(word);
    const named = germanName(list, value);
    if (named !== undefined)
        return named;
    const all = isObject(labels.value) ? labels.value : {};
    const found = all[list];
    return (isObject(found) ? textOf(found, value) : undefined) ?? words(value);
}
export function valueName(property, value) {
    const word = `v_${value}`;
    if ((property === 'level' || property === 'status') && isWord(word))
        return t(word);
    const all = isObject(labels.value) ? labels.value : {};
    for (const list of [property, ...(lists[property] ?? [])]) {
        const found = all[list];
        const label = germanName(list, value) ?? (isObject(found) ? textOf(found, value) : undefined);
        if (label !== undefined)
            return label;
    }
    return lists[property] === undefined ? value : words(value);
}
