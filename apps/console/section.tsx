// A part of a view with a heading of its own.
import type { ComponentChildren, JSX } from 'preact';

type Part = { readonly id: string; readonly title: string; readonly children: ComponentChildren };

/** The part; its heading has the id, and names it. */
export const Section = ({ id, title, children }: Part): JSX.Element => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);
