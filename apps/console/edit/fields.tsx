// The fields of an object, each as its shape asks for it: single values in a grid, then parts and lists of them, which can be added, taken away
// and put in another order. What is empty is a button until somebody wants it.
import { useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Json } from '../../../libs/domain/json.ts';
import { isObject, textOf } from '../../../libs/domain/json.ts';
import { said } from '../saying.ts';
import type { Form } from './form.tsx';
import { InForm, below, change, idOf } from './form.tsx';
import { FaultsAt, Input } from './inputs.tsx';
import { Linked } from './link.tsx';
import type { Field, Schemas, Shape } from './schema.ts';
import { emptyPart, fieldsOf, isPlain } from './schema.ts';
import { at, moved } from './values.ts';
import { e, fieldName, partName } from './words.ts';

type Place = { readonly path: string };

/** All fields of an object. */
export function Fields({ path, fields }: Place & { readonly fields: readonly Field[] }): JSX.Element {
  const form = useContext(InForm);
  const plain = inOrder(fields.filter(({ shape }) => isPlain(shape)));
  const composed = fields.filter(({ shape }) => !isPlain(shape));
  // Only whether they are there is of interest here, not what is typed in them.
  const filled = useComputed(() =>
    composed
      .filter(({ name, isRequired }) => isRequired || isThere(at(form.value.value, below(path, name))))
      .map(({ name }) => name)
      .join(' '),
  ).value.split(' ');
  const empty = composed.filter(({ name }) => !filled.includes(name));
  return (
    <>
      {plain.length > 0 && (
        <div class="grid">
          {plain.map(({ name, shape, isRequired }) => (
            <Input key={name} path={below(path, name)} shape={shape} label={fieldName(name)} isRequired={isRequired} />
          ))}
        </div>
      )}
      {composed
        .filter(({ name }) => filled.includes(name))
        .map((field) => (
          <Composed key={field.name} path={below(path, field.name)} field={field} />
        ))}
      {empty.length > 0 && (
        <div class="buttons more" role="group" aria-label={e('more_fields')}>
          {empty.map(({ name, shape }) => (
            <span key={name} id={idOf(below(path, name))} class="adding" tabIndex={-1}>
              <Add path={below(path, name)} shape={shape} label={fieldName(name)} />
              <FaultsAt path={below(path, name)} />
            </span>
          ))}
        </div>
      )}
    </>
  );
}

// Of use to programs more than to people.
const late = new Set(
  'slug is_slug_auto external_ark_url import_current_ark persistent_id ingest_problem ref_id sort_name_auto_generate'.split(
    ' ',
  ),
);

/** Fields in the order of their schema, but flags behind the others, and what programs use last. */
const inOrder = (fields: readonly Field[]): readonly Field[] => {
  const rank = ({ name, shape }: Field): number => (late.has(name) ? 2 : 0) + (shape.is === 'flag' ? 1 : 0);
  return fields.toSorted((a, b) => rank(a) - rank(b));
};

const isThere = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

function Composed({ path, field: { name, shape, isRequired } }: Place & { readonly field: Field }): JSX.Element {
  const form = useContext(InForm);
  const title = fieldName(name);
  if (shape.is === 'many') return <Many path={path} of={shape.of} title={title} isRequired={isRequired} />;
  return (
    <Group path={path} title={title} isRequired={isRequired}>
      {!isRequired && (
        <div class="tools">
          <button type="button" onClick={() => takeAway(form, path, title)}>
            {e('take_away')}
            <span class="hidden"> {title}</span>
          </button>
        </div>
      )}
      <Entry path={path} shape={shape} title={title} />
    </Group>
  );
}

type Grouping = Place & {
  readonly title: ComponentChildren;
  readonly isRequired?: boolean;
  readonly children: ComponentChildren;
  readonly kind?: string;
};

function Group({ path, title, isRequired = false, kind = 'many', children }: Grouping): JSX.Element {
  return (
    <fieldset class={kind} id={idOf(path)} tabIndex={-1}>
      <legend class={isRequired ? 'needed' : undefined}>{title}</legend>
      <FaultsAt path={path} />
      {children}
    </fieldset>
  );
}

type ManyOf = Place & { readonly of: Shape; readonly title: string; readonly isRequired: boolean };

function Many({ path, of, title, isRequired }: ManyOf): JSX.Element {
  const form = useContext(InForm);
  const count = useComputed(() => listAt(form, path).length).value;
  return (
    <Group path={path} title={title} isRequired={isRequired}>
      {Array.from({ length: count }, (_, index) => (
        <One key={index} path={below(path, index)} index={index} count={count} of={of} title={title} />
      ))}
      <Add path={path} shape={{ is: 'many', of }} label={count === 0 ? title : e('another', { what: title })} />
    </Group>
  );
}

const listAt = (form: Form, path: string): readonly Json[] => {
  const list = at(form.value.value, path);
  return Array.isArray(list) ? list : [];
};

type OneOf = Place & { readonly index: number; readonly count: number; readonly of: Shape; readonly title: string };

/** An entry of a list, with what moves it up and down and takes it away. */
function One({ path, index, count, of, title }: OneOf): JSX.Element {
  const form = useContext(InForm);
  const type = useType(path);
  const list = path.slice(0, path.lastIndexOf('/'));
  const name = of.is === 'part' && type !== undefined ? partName(type) : title;
  const called = `${name} ${index + 1}`;
  const move = (to: number): void => {
    change(form, list, moved(listAt(form, list), index, to));
    said.value = e('moved_to', { what: called, place: to + 1 });
    const [up, down] = [`${idOf(below(list, to))}-up`, `${idOf(below(list, to))}-down`];
    focusSoon(to < index ? [up, down] : [down, up]);
  };
  const remove = (): void => {
    change(
      form,
      list,
      listAt(form, list).filter((_, each) => each !== index),
    );
    said.value = e('taken_away', { what: called });
    focusSoon([`${idOf(list)}-add`, idOf(list)]);
  };
  const tools = (
    <div class="tools">
      {count > 1 && (
        <>
          <button type="button" id={`${idOf(path)}-up`} disabled={index === 0} onClick={() => move(index - 1)}>
            <span aria-hidden="true">↑</span>
            <span class="hidden">{e('move_up', { what: called })}</span>
          </button>
          <button
            type="button"
            id={`${idOf(path)}-down`}
            disabled={index === count - 1}
            onClick={() => move(index + 1)}
          >
            <span aria-hidden="true">↓</span>
            <span class="hidden">{e('move_down', { what: called })}</span>
          </button>
        </>
      )}
      <button type="button" onClick={remove}>
        <span aria-hidden="true">✕</span>
        <span class="hidden">{e('remove_this', { what: called })}</span>
      </button>
    </div>
  );
  if (isPlain(of) || (of.is === 'part' && type === undefined))
    return (
      <div class="plain-entry">
        <Input path={path} shape={isPlain(of) ? of : { is: 'text', isLong: true }} label={called} isRequired={false} />
        {tools}
      </div>
    );
  return (
    <Group path={path} title={called} kind="entry">
      {tools}
      <Entry path={path} shape={of} title={name} />
    </Group>
  );
}

/** What is asked for of a link, a part, or an object without a type. */
function Entry({ path, shape, title }: Place & { readonly shape: Shape; readonly title: string }): JSX.Element | null {
  const form = useContext(InForm);
  const type = useType(path);
  if (shape.is === 'link')
    return (
      <>
        <Linked path={path} to={shape.to} label={title} />
        {shape.own.length > 0 && <Fields path={path} fields={shape.own} />}
      </>
    );
  if (shape.is === 'inline') return <Fields path={path} fields={shape.fields} />;
  if (shape.is !== 'part') return null;
  return <Fields path={path} fields={fieldsOf(form.schemas, type ?? shape.names[0] ?? '')} />;
}

/** The type of the part at a path; undefined where it says none or there is a text. */
function useType(path: string): string | undefined {
  const form = useContext(InForm);
  return useComputed(() => {
    const value = at(form.value.value, path);
    return isObject(value) ? textOf(value, 'jsonmodel_type') : undefined;
  }).value;
}

type Adding = Place & { readonly shape: Shape; readonly label: string };

/** What adds an entry: a button, beside a choice of its type where there are several. */
function Add({ path, shape, label }: Adding): JSX.Element {
  const form = useContext(InForm);
  const of = shape.is === 'many' ? shape.of : shape;
  const names = of.is === 'part' ? of.names : [];
  const [name, setName] = useState(names.length === 1 ? (names[0] ?? '') : '');
  const add = (type: string): void => {
    const value = newValue(form.schemas, of, type);
    if (shape.is !== 'many') change(form, path, value);
    else change(form, path, [...listAt(form, path), value]);
    const place = shape.is === 'many' ? below(path, listAt(form, path).length - 1) : path;
    if (names.length > 1) setName('');
    said.value = e('added', { what: label });
    focusSoon([idOf(place)], true);
  };
  if (names.length <= 1)
    return (
      <button type="button" id={`${idOf(path)}-add`} onClick={() => add(name)}>
        + {label}
      </button>
    );
  return (
    <>
      <select
        id={`${idOf(path)}-add`}
        aria-label={e('add_which', { what: label })}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      >
        <option value="">{label} …</option>
        {names.map((each) => (
          <option key={each} value={each}>
            {partName(each)}
          </option>
        ))}
        {of.is === 'part' && of.orText && <option value={textType}>{e('text')}</option>}
      </select>{' '}
      <button type="button" disabled={name === ''} onClick={() => add(name)}>
        + {e('add')}
        <span class="hidden"> {label}</span>
      </button>
    </>
  );
}

// In place of the name of a schema.
const textType = ' text';

function newValue(schemas: Schemas, of: Shape, type: string): Json {
  if (of.is === 'part') return type === textType ? '' : emptyPart(schemas, type);
  if (of.is === 'flag') return false;
  return isPlain(of) ? '' : {};
}

function takeAway(form: Form, path: string, title: string): void {
  change(form, path, undefined);
  said.value = e('taken_away', { what: title });
  focusSoon([`${idOf(path)}-add`]);
}

/** Puts the focus on the first of these elements that can have it, once they are there; `inside`: on the first field within it. */
function focusSoon(ids: readonly string[], inside = false): void {
  requestAnimationFrame(() => {
    for (const id of ids) {
      const element = document.getElementById(id);
      const found = inside ? (element?.querySelector<HTMLElement>('input, select, textarea') ?? element) : element;
      if (found === null || found === undefined || (found instanceof HTMLButtonElement && found.disabled)) continue;
      found.focus();
      return;
    }
  });
}
