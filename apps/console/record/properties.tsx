// The properties of a record in words: what people look for first, then everything else that it has.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { propertyName, typeName, valueName } from '../labels.ts';
import { Marked, Title } from '../markup.tsx';
import { t, time } from '../words.ts';
import { FileVersion, toldBy } from './file-version.tsx';

const first = [
  'dates',
  'dates_of_existence',
  'extents',
  'linked_agents',
  'subjects',
  'lang_materials',
  'instances',
  'file_versions',
  'container_locations',
  'content_description',
  'condition_description',
];

// What the head of the page, its foot or another part of it tells, and what is of use to programs alone.
const elsewhere = new Set(
  (
    'uri jsonmodel_type title display_string lock_version created_by last_modified_by create_time system_mtime user_mtime ' +
    'repository ancestors notes publish suppressed level id_0 id_1 id_2 id_3 component_id digital_object_id identifier ' +
    'is_slug_auto slug tree has_unpublished_ancestor persistent_id position is_repository_default ref_id ark_name ' +
    'has_children represented_instance display_name is_linked_to_published_record used_within_repositories ' +
    'used_within_published_repositories long_display_string sort_name is_display_name authorized resource ' +
    'is_finding_aid_status_published import_current_record import_previous_arks name'
  ).split(' '),
);

// Of what stands within a record; its title and name are told there.
const ofPrograms = new Set(
  'uri jsonmodel_type lock_version created_by last_modified_by create_time system_mtime user_mtime repository persistent_id publish is_representative language_and_script'.split(
    ' ',
  ),
);

/** The identifier of a record; '' where it has none. */
export const identifierOf = (record: JsonObject): string => {
  const parts = [0, 1, 2, 3].flatMap((n) => textOf(record, `id_${n}`) ?? []);
  if (parts.length > 0) return parts.join('.');
  return ['component_id', 'digital_object_id', 'identifier'].map((name) => textOf(record, name)).find(Boolean) ?? '';
};

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** All properties that have a value and are not told elsewhere. */
export function Properties({ record }: { readonly record: JsonObject }): JSX.Element | null {
  const names = [...first, ...Object.keys(record).filter((name) => !first.includes(name) && !elsewhere.has(name))];
  // The file that stands for a record is among its own, where it has some.
  const isTold = (name: string): boolean => name === 'representative_file_version' && !isEmpty(record['file_versions']);
  const shown = names.filter((name) => !isEmpty(record[name]) && !isTold(name));
  if (shown.length === 0) return null;
  return (
    <dl class="properties">
      {shown.map((name) => (
        <div key={name}>
          <dt>{propertyName(name)}</dt>
          <dd>
            <Value name={name} value={record[name] ?? null} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A value as people read it. */
export function Value({ name, value }: { readonly name: string; readonly value: Json }): JSX.Element {
  if (Array.isArray(value)) {
    if (value.length === 1) return <Value name={name} value={value[0] ?? null} />;
    return <Values name={name} values={value} />;
  }
  if (isObject(value)) return <ObjectValue name={name} value={value} />;
  if (typeof value === 'boolean') return <>{t(value ? 'yes' : 'no')}</>;
  const text = String(value);
  if (/^https?:\/\/\S+$/.test(text))
    return (
      <a href={text} rel="noreferrer" target="_blank">
        {text}
      </a>
    );
  if (/_time$|_mtime$/.test(name)) return <>{time(text)}</>;
  return <Marked text={valueName(name, text)} inline />;
}

// A record with hundreds of parts is read to its end without them.
const mostShown = 20;

/** Several values; those beyond the first ones are shown when they are asked for. */
function Values({ name, values }: { readonly name: string; readonly values: readonly Json[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const first = isOpen || values.length <= mostShown + 5 ? values : values.slice(0, mostShown);
  return (
    <>
      <ul class="values">
        {first.map((each, index) => (
          // Values have no names of their own, and their order is that of the record.
          <li key={index}>
            <Value name={name} value={each} />
          </li>
        ))}
      </ul>
      {first.length < values.length && (
        <button type="button" class="plain" onClick={() => setOpen(true)}>
          {t('more', { count: values.length - first.length })}
        </button>
      )}
    </>
  );
}

function ObjectValue({ name, value }: { readonly name: string; readonly value: JsonObject }): JSX.Element {
  if (textOf(value, 'ref') !== undefined) return <Link link={value} />;
  const type = textOf(value, 'jsonmodel_type');
  if (type === 'date' || type === 'structured_date_label') return <DateValue date={value} />;
  if (type === 'extent') return <ExtentValue extent={value} />;
  if (type === 'instance') return <InstanceValue instance={value} />;
  const isFile = type === 'file_version';
  const told = isFile ? toldBy(value) : [];
  const names = Object.keys(value).filter(
    (each) => !ofPrograms.has(each) && !told.includes(each) && !isEmpty(value[each]),
  );
  const inner = objectOf(value, 'language_and_script');
  if (inner !== undefined) {
    const said = ['language', 'script'].flatMap((each) => {
      const code = textOf(inner, each);
      return code === undefined ? [] : [valueName(each, code)];
    });
    return (
      <>
        {said.join(', ')}
        <Parts value={value} names={names} />
      </>
    );
  }
  if (name === 'names' || name === 'agent_contacts') {
    const own = textOf(value, 'sort_name') ?? textOf(value, 'name');
    const isMade = value['sort_name_auto_generate'] === true;
    if (own !== undefined)
      return (
        <>
          <bdi>{own}</bdi>
          <Parts
            value={value}
            names={names.filter((each) => value[each] !== own && !(isMade && inSortName.has(each)))}
          />
        </>
      );
  }
  if (!isFile) return <Parts value={value} names={names} />;
  return (
    <>
      <FileVersion version={value} />
      <Parts value={value} names={names} />
    </>
  );
}

// What the service makes the name for sorting of, and how.
const inSortName = new Set(
  (
    'sort_name sort_name_auto_generate is_display_name authorized name_order primary_name rest_of_name title prefix suffix number ' +
    'fuller_form dates qualifier subordinate_name_1 subordinate_name_2 location family_name software_name version manufacturer'
  ).split(' '),
);

/** Properties of what stands within a record, those of `names` that say something; nothing where none do. */
export function Parts({
  value,
  names,
}: {
  readonly value: JsonObject;
  readonly names: readonly string[];
}): JSX.Element | null {
  const shown = names.filter((each) => !isEmpty(value[each]));
  if (shown.length === 0) return null;
  return (
    <dl class="inner">
      {shown.map((each) => (
        <div key={each}>
          <dt>{propertyName(each)}</dt>
          <dd>
            <Value name={each} value={value[each] ?? null} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

// What a link says of itself, beside what its line tells. Others, such as collections of containers, come with what the service adds to them.
const ofLinks = [
  'title',
  'note',
  'description',
  'specific_relator',
  'specific_relator_uri',
  'relationship_uri',
  'dates',
];

/** A link to another record by its title, with the part that it has in this one. */
function Link({ link }: { readonly link: JsonObject }): JSX.Element {
  const uri = textOf(link, 'ref') ?? '';
  const record = objectOf(link, '_resolved') ?? {};
  const title = textOf(record, 'display_string') ?? textOf(record, 'title') ?? textOf(record, 'name');
  const terms = objectsOf(link, 'terms').flatMap((each) => textOf(each, 'term') ?? []);
  const parts = ['role', 'relator', 'status', 'start_date', 'end_date'].flatMap((name) => {
    const value = textOf(link, name);
    return value === undefined ? [] : [valueName(name, value)];
  });
  return (
    <>
      <a href={recordAddress(uri)}>{title === undefined ? uri : <Title text={title} />}</a>
      {terms.length > 0 && <bdi> – {terms.join(' – ')}</bdi>}
      {parts.length > 0 && <span class="soft"> {parts.join(', ')}</span>}
      <Parts value={link} names={ofLinks} />
    </>
  );
}

/** A date as it was written, or from its parts, with what it is the date of. */
function DateValue({ date }: { readonly date: JsonObject }): JSX.Element {
  const single = objectOf(date, 'structured_date_single');
  const range = objectOf(date, 'structured_date_range');
  /** Both ends of a range, each by the first of these properties that it has. */
  const spanOf = (...names: readonly string[]): string => {
    const endOf = (end: string): string | undefined =>
      names.map((name) => textOf(range, `${end}_${name}`)).find((part) => part !== undefined);
    const ends = [textOf(date, 'begin') ?? endOf('begin'), textOf(date, 'end') ?? endOf('end')];
    return [...new Set(ends.filter((end) => end !== undefined))].join(' – ');
  };
  const counted = textOf(single, 'date_standardized') ?? spanOf('date_standardized', 'date_expression');
  const text =
    textOf(date, 'expression') ??
    textOf(single, 'date_expression') ??
    (range === undefined ? counted : spanOf('date_expression', 'date_standardized'));
  const about = ['label', 'date_label', 'certainty', 'date_certainty', 'era', 'date_era', 'calendar', 'date_calendar'];
  const said = about.flatMap((name) => {
    const value = textOf(date, name);
    return value === undefined || usual.has(value) ? [] : [valueName(name.replace('date_', ''), value)];
  });
  return (
    <>
      <bdi>{text}</bdi>{' '}
      <span class="soft">{[...(counted === '' || counted === text ? [] : [counted]), ...said].join(', ')}</span>
    </>
  );
}

// The era and the calendar that nobody asks about.
const usual = new Set(['ce', 'gregorian']);

function ExtentValue({ extent }: { readonly extent: JsonObject }): JSX.Element {
  const type = valueName('extent_type', textOf(extent, 'extent_type') ?? '');
  // An extent is of the whole unless it says so.
  const part = textOf(extent, 'portion') === 'part' ? [valueName('portion', 'part')] : [];
  const told = ['container_summary', 'physical_details', 'dimensions'].flatMap((name) => textOf(extent, name) ?? []);
  const more = [...part, ...told];
  return (
    <>
      {textOf(extent, 'number')} {type} {more.length > 0 && <span class="soft">({more.join('; ')})</span>}
    </>
  );
}

/** A container, or a digital object. */
function InstanceValue({ instance }: { readonly instance: JsonObject }): JSX.Element {
  const digital = objectOf(instance, 'digital_object');
  const sub = objectOf(instance, 'sub_container');
  const container = objectOf(sub, 'top_container');
  const below = [2, 3].flatMap((n) => {
    const indicator = textOf(sub, `indicator_${n}`);
    return indicator === undefined ? [] : [`${valueName('type_2', textOf(sub, `type_${n}`) ?? '')} ${indicator}`];
  });
  const barcode = textOf(sub, 'barcode_2');
  return (
    <>
      {digital !== undefined && <Link link={digital} />}
      {container !== undefined && <Link link={container} />}
      {below.length > 0 && `, ${below.join(', ')}`}
      {barcode !== undefined && ` [${propertyName('barcode')}: ${barcode}]`}{' '}
      <span class="soft">{valueName('instance_type', textOf(instance, 'instance_type') ?? typeName('instance'))}</span>
    </>
  );
}
