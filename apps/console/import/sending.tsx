// What is to be seen while files are on their way, which takes minutes where they are large or the network is slow.
import type { JSX } from 'preact';
import { s } from './words.ts';

/** The line. */
export const Sending = (): JSX.Element => (
  <p class="soft" role="status">
    {s('sending')}
  </p>
);
