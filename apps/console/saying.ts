// What is said to those who do not see what has changed: one live region for the whole console (frame.tsx).
import { signal } from '@preact/signals';

/** What was said last. */
export const said = signal('');
