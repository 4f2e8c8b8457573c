// The field of the search; a title that is chosen from its list opens the record.
import type { JSX } from 'preact';
import { textOf } from '../../../libs/domain/json.ts';
import { go, recordAddress } from '../address.ts';
import { t } from '../words.ts';
import { Combobox } from './combobox.tsx';

type Field = { readonly typed: string; readonly onType: (text: string) => void; readonly repository: string | null };

/** The field. `onType` hears every letter. */
export function SearchField({ typed, onType, repository }: Field): JSX.Element {
  return (
    <Combobox
      id="search"
      label={t('search')}
      typed={typed}
      onType={onType}
      onChoose={(row) => go(recordAddress(textOf(row, 'uri') ?? ''))}
      repository={repository}
      placeholder={t('search_hint')}
    />
  );
}
