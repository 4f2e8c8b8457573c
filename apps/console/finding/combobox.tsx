// A field to type into with records whose titles begin as what was typed: a combobox with a list, as the ARIA patterns have it.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { useAsked, useRested } from '../asking.tsx';
import { typeName } from '../labels.ts';
import { Title } from '../markup.tsx';
import { t } from '../words.ts';

type Field = {
  /** Of the field; that of its list begins with it. */
  readonly id: string;
  readonly label: ComponentChildren;
  readonly typed: string;
  /** Hears every letter. */
  readonly onType: (text: string) => void;
  /** Hears the row that was chosen. */
  readonly onChoose: (row: JsonObject) => void;
  /** The repository that is looked in; null: all, for who may. */
  readonly repository: string | null;
  /** Types of records to look for; none: all. */
  readonly types?: readonly string[];
  readonly placeholder?: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  /** What is found otherwise than by the beginnings of titles, for as long as it is asked for. */
  readonly useFound?: (typed: string | null) => readonly JsonObject[];
};

/** The field. */
export function Combobox(field: Field): JSX.Element {
  const { id, typed, onType, types = [] } = field;
  const [isOpen, setOpen] = useState(false);
  // Which row Enter would choose; by its id, since the list changes while somebody goes through it.
  const [marked, setMarked] = useState<string | null>(null);
  const rested = useRested(typed.trim(), 120);
  const isAsked = isOpen && rested.length > 1 && !rested.startsWith('/');
  const suggested = useSuggested(isAsked && field.useFound === undefined ? rested : null, field.repository, types);
  const found = field.useFound?.(isAsked ? rested : null) ?? suggested;
  const isShown = found.length > 0;
  const active = marked === null ? -1 : found.findIndex((row) => idOf(row) === marked);
  const choose = (row: JsonObject | undefined): void => {
    setOpen(false);
    setMarked(null);
    if (row !== undefined) field.onChoose(row);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(isShown && active >= 0 ? found[active] : undefined);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // One place more than there are rows: that of the field itself.
      const places = found.length + 1;
      const next = found[((active + 1 + step + places) % places) - 1];
      setMarked(next === undefined ? null : idOf(next));
    }
  };
  return (
    <div class="search-field">
      <label for={id}>{field.label}</label>
      <input
        id={id}
        type="search"
        role="combobox"
        // The types of the view library want it said that there is no datalist.
        list={undefined}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        aria-expanded={isShown}
        aria-controls={`${id}-suggestions`}
        aria-autocomplete="list"
        aria-describedby={field.describedBy}
        aria-invalid={field.isInvalid === true ? true : undefined}
        {...(isShown && active >= 0 ? { 'aria-activedescendant': `${id}-suggestion-${active}` } : {})}
        placeholder={field.placeholder}
        value={typed}
        onInput={(event) => {
          setOpen(true);
          setMarked(null);
          onType(event.currentTarget.value);
        }}
        onKeyDown={onKey}
        onBlur={() => setOpen(false)}
      />
      <ul class="suggestions" id={`${id}-suggestions`} role="listbox" aria-label={t('suggestions')} hidden={!isShown}>
        {found.map((row, index) => (
          <li
            key={idOf(row)}
            id={`${id}-suggestion-${index}`}
            role="option"
            aria-selected={index === active}
            // Before the field loses the focus, which closes the list.
            onMouseDown={(event) => {
              event.preventDefault();
              choose(row);
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

const idOf = (row: JsonObject): string => textOf(row, 'id') ?? textOf(row, 'uri') ?? '';

function useSuggested(q: string | null, repository: string | null, type: readonly string[]): readonly JsonObject[] {
  const { value } = useAsked(q === null ? null : `${repository ?? ''}/search/suggest`, { q: q ?? '', type, limit: 8 });
  return q !== null && isObject(value) ? objectsOf(value, 'suggestions') : [];
}
