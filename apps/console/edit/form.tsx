// The state of a form, which its fields share: the value as it is typed, and what the service said is wrong with it.
import type { Signal } from '@preact/signals';
import { signal, useComputed } from '@preact/signals';
import type { Context } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import type { Schemas } from './schema.ts';
import { at, put } from './values.ts';

/** What is wrong by path (`dates/0/begin`), in the words of the service. */
export type Faults = { readonly [path: string]: readonly string[] };

/** A form. */
export type Form = {
  readonly schemas: Schemas;
  /** The repository of the record; null where it is of none. */
  readonly repository: string | null;
  readonly value: Signal<JsonObject>;
  readonly faults: Signal<Faults>;
  /** How often the service has refused it. */
  readonly refused: Signal<number>;
  /** Hears of each change. */
  readonly onChange: () => void;
};

const none: Form = {
  schemas: {},
  repository: null,
  value: signal({}),
  faults: signal({}),
  refused: signal(0),
  onChange: () => undefined,
};

/** The form that fields stand in. */
export const InForm: Context<Form> = createContext(none);

/** The value at a path of the form. Whoever uses it is drawn anew where that value changes, and no more. */
export function useValue(path: string): Json | undefined {
  const form = useContext(InForm);
  return useComputed(() => at(form.value.value, path)).value;
}

/** What is wrong at exactly this path. */
export function useFaults(path: string): readonly string[] {
  const form = useContext(InForm);
  return useComputed(() => form.faults.value[path] ?? nothing).value;
}

const nothing: readonly string[] = [];

/** Puts a value at a path; undefined takes it away. What was wrong there is no longer told. */
export function change(form: Form, path: string, next: Json | undefined): void {
  form.value.value = put(form.value.peek(), path, next) as JsonObject;
  const left = Object.entries(form.faults.peek()).filter(([each]) => each !== path && !each.startsWith(`${path}/`));
  if (left.length < Object.keys(form.faults.peek()).length) form.faults.value = Object.fromEntries(left);
  form.onChange();
}

/** The id of the field at a path. */
export const idOf = (path: string): string => `f-${path.replaceAll('/', '-')}`;

/** The path of a property below another one; '' is the record. */
export const below = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}/${name}`);
