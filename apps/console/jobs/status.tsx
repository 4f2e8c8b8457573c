// How a job is, in a word and a colour.
import type { JSX } from 'preact';
import { valueName } from '../labels.ts';

/** The word of a status of jobs, in its colour. */
export const Status = ({ status }: { readonly status: string }): JSX.Element => (
  <span class={`status ${status}`}>{valueName('status', status)}</span>
);
