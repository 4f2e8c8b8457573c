import { signal, useComputed } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { at, put } from './values.js';
const none = {
    schemas: {},
    repository: null,
    value: signal({}),
    faults: signal({}),
    refused: signal(0),
    onChange: () => undefined,
};
export const InForm = createContext(none);
export function useValue(path) {
    const form = useContext(InForm);
    return useComputed(() => at(form.value.value, path)).value;
}
export function useFaults(path) {
    const form = useContext(InForm);
    return useComputed(() => form.faults.value[path] ?? nothing).value;
}
const nothing = [];
export function change(form, path, next) {
    form.value.value = put(form.value.peek(), path, next);
    const left = Object.entries(form.faults.peek()).filter(([each]) => each !== path && !each.startsWith(`${path}/`));
    if (left.length < Object.keys(form.faults.peek()).length)
        form.faults.value = Object.fromEntries(left);
    form.onChange();
}
export const idOf = (path) => `f-${path.replaceAll('/', '-')}`;
export const below = (path, name) => (path === '' ? String(name) : `${path}/${name}`);
