// From page to page of a list that stands among others, so that its page is not in the address.
import type { JSX } from 'preact';
import { t } from './words.ts';

type Shown = {
  readonly label: string;
  readonly page: number;
  readonly last: number;
  readonly onTurn: (page: number) => void;
};

/** The buttons; nothing where there is one page alone. */
export function Pager({ label, page, last, onTurn }: Shown): JSX.Element | null {
  if (last <= 1) return null;
  return (
    <nav class="pages" aria-label={label}>
      <button type="button" disabled={page <= 1} onClick={() => onTurn(page - 1)}>
        {t('previous')}
      </button>
      <span>{t('page_of', { page, last })}</span>
      <button type="button" disabled={page >= last} onClick={() => onTurn(page + 1)}>
        {t('next')}
      </button>
    </nav>
  );
}
