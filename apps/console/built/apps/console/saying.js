import { signal } from '@preact/signals';
export const said = signal('');
