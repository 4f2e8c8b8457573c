// Fields for one value: texts, numbers, yes and no, and choices.
import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { Json } from '../../../libs/domain/json.ts';
import { listLabel, words } from '../labels.ts';
import { InForm, change, idOf, useFaults, useValue } from './form.tsx';
import type { Choice } from './lists.ts';
import { definitionAt, definitionsOf, listedAt, recordsAt, valuesOf } from './lists.ts';
import type { Shape } from './schema.ts';
import { at } from './values.ts';
import { e, saidBy } from './words.ts';

type Asking = { readonly path: string; readonly shape: Shape; readonly label: string; readonly isRequired: boolean };

/** What is wrong at exactly this path; nothing where nothing is. */
export function FaultsAt({ path }: { readonly path: string }): JSX.Element | null {
  const faults = useFaults(path);
  if (faults.length === 0) return null;
  return (
    <p class="fault" id={`${idOf(path)}-fault`}>
      {faults.map(saidBy).join(' ')}
    </p>
  );
}

/** A field with its label, and what is wrong with its value. */
export function Input({ path, shape, label, isRequired }: Asking): JSX.Element {
  const isWrong = useFaults(path).length > 0;
  const own = {
    id: idOf(path),
    'aria-required': isRequired ? true : undefined,
    'aria-invalid': isWrong ? true : undefined,
    'aria-describedby': isWrong ? `${idOf(path)}-fault` : undefined,
  };
  const isWide = shape.is === 'text' && shape.isLong;
  return (
    <div class={shape.is === 'flag' ? 'field flag' : isWide ? 'field wide' : 'field'}>
      <label for={own.id} class={isRequired ? 'needed' : undefined}>
        {label}
      </label>
      <Control path={path} shape={shape} own={own} />
      <FaultsAt path={path} />
    </div>
  );
}

type Attributes = {
  readonly id: string;
  readonly 'aria-required': boolean | undefined;
  readonly 'aria-invalid': boolean | undefined;
  readonly 'aria-describedby': string | undefined;
};
type Controlled = { readonly path: string; readonly shape: Shape; readonly own: Attributes };

function Control({ path, shape, own }: Controlled): JSX.Element {
  const { repository } = useContext(InForm);
  switch (shape.is) {
    case 'flag':
      return <Flag path={path} own={own} />;
    case 'controlled':
      return <Chosen path={path} own={own} choices={valuesOf(shape.list).value} list={shape.list} />;
    case 'choice':
      return <Chosen path={path} own={own} choices={shape.values.map((value) => ({ value, label: words(value) }))} />;
    case 'uri': {
      const place = listedAt(shape.to);
      return place === undefined ? (
        <Typed path={path} own={own} isLong={false} />
      ) : (
        <Chosen path={path} own={own} choices={recordsAt(place).value} />
      );
    }
    case 'number': {
      const type = definitionAt(path);
      if (type !== undefined && repository !== null) {
        const choices = definitionsOf(repository).value.filter((each) => each.type === type);
        return <Chosen path={path} own={own} choices={choices} isNumber />;
      }
      return <Typed path={path} own={own} isLong={false} isNumber />;
    }
    default:
      return <Typed path={path} own={own} isLong={shape.is === 'text' && shape.isLong} />;
  }
}

const mostRows = 14;
const lettersInRow = 90;

/** As many rows as a text needs, within reason. */
const rowsFor = (text: string): number =>
  Math.min(
    mostRows,
    text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / lettersInRow), 0),
  );

function Typed({
  path,
  own,
  isLong,
  isNumber = false,
}: Omit<Controlled, 'shape'> & { readonly isLong: boolean; readonly isNumber?: boolean }): JSX.Element {
  const form = useContext(InForm);
  const text = shownText(useValue(path));
  const common = {
    ...own,
    // A title runs as its script does, whatever the console is in.
    dir: 'auto' as const,
    value: text,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      change(form, path, event.currentTarget.value),
  };
  if (isLong) return <textarea {...common} rows={rowsFor(text)} />;
  if (!isNumber) return <input type="text" autocomplete="off" {...common} />;
  // What is no number stays as it was typed, so that the service says so and nothing is lost.
  const settle = (): void => {
    const typed = at(form.value.peek(), path);
    if (typeof typed === 'string' && /^-?\d+(?:\.\d+)?$/.test(typed.trim())) change(form, path, Number(typed));
  };
  // Ctrl+S saves while the field has the focus, and so before it changes.
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      {...common}
      onChange={settle}
      onKeyDown={(event) => {
        if (event.key === 's' && (event.ctrlKey || event.metaKey)) settle();
      }}
    />
  );
}

const shownText = (value: Json | undefined): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : typeof value === 'object'
        ? ''
        : String(value);

function Flag({ path, own }: Omit<Controlled, 'shape'>): JSX.Element {
  const form = useContext(InForm);
  const value = useValue(path);
  return (
    <input
      type="checkbox"
      {...own}
      checked={value === true}
      onChange={(event) => change(form, path, event.currentTarget.checked)}
    />
  );
}

type Choosing = Omit<Controlled, 'shape'> & {
  readonly choices: readonly Choice[];
  readonly list?: string;
  readonly isNumber?: boolean;
};

function Chosen({ path, own, choices, list, isNumber = false }: Choosing): JSX.Element {
  const form = useContext(InForm);
  const value = shownText(useValue(path));
  // A value that can no longer be chosen stays until somebody chooses another one.
  const all =
    value === '' || choices.some((each) => each.value === value) ? choices : [{ value, label: null }, ...choices];
  const choose = (chosen: string): void => change(form, path, isNumber && chosen !== '' ? Number(chosen) : chosen);
  return (
    <select {...own} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="">{e('none_chosen')}</option>
      {all.map(({ value: each, label }) => (
        <option key={each} value={each}>
          {label ?? (list === undefined ? each : listLabel(list, each))}
        </option>
      ))}
    </select>
  );
}
