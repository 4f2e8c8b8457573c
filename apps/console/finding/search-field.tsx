// The field to type into, with titles that begin as what was typed: a combobox with a list, as the ARIA patterns have it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { go, recordAddress } from '../address.ts';
import { useAsked, useRested } from '../asking.tsx';
import { typeName } from '../labels.ts';
import { Title } from '../markup.tsx';
import { t } from '../words.ts';

type Field = { readonly typed: string; readonly onType: (text: string) => void; readonly repository: string | null };

/** The field. `onType` hears every letter; a suggestion that is chosen opens its record. */
export function SearchField({ typed, onType, repository }: Field): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const rested = useRested(typed.trim(), 120);
  const path = `${repository ?? ''}/search/suggest`;
  const isAsked = isOpen && rested.length > 1 && !rested.startsWith('/');
  const { value } = useAsked(isAsked ? path : null, { q: rested, limit: 8 });
  const found: readonly JsonObject[] = isAsked && isObject(value) ? objectsOf(value, 'suggestions') : [];
  const isShown = found.length > 0;
  const open = (row: JsonObject | undefined): void => {
    setOpen(false);
    if (row !== undefined) go(recordAddress(textOf(row, 'uri') ?? ''));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(isShown && active >= 0 ? found[active] : undefined);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // One place more than there are rows: that of the field itself.
      const places = found.length + 1;
      setActive(((active + 1 + step + places) % places) - 1);
    }
  };
  return (
    <div class="search-field">
      <label for="search">{t('search')}</label>
      <input
        id="search"
        type="search"
        role="combobox"
        // The types of the view library want it said that there is no datalist.
        list={undefined}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        aria-expanded={isShown}
        aria-controls="suggestions"
        aria-autocomplete="list"
        {...(isShown && active >= 0 ? { 'aria-activedescendant': `suggestion-${active}` } : {})}
        placeholder={t('search_hint')}
        value={typed}
        onInput={(event) => {
          setOpen(true);
          setActive(-1);
          onType(event.currentTarget.value);
        }}
        onKeyDown={onKey}
        onBlur={() => setOpen(false)}
      />
      <ul id="suggestions" role="listbox" aria-label={t('suggestions')} hidden={!isShown}>
        {found.map((row, index) => (
          <li
            key={textOf(row, 'id')}
            id={`suggestion-${index}`}
            role="option"
            aria-selected={index === active}
            // Before the field loses the focus, which closes the list.
            onMouseDown={(event) => {
              event.preventDefault();
              open(row);
            }}
          >
            <Title text={textOf(row, 'title')} />{' '}
            <span class="soft">{typeName(textOf(row, 'primary_type') ?? '')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
