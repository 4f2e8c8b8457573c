// What somebody typed into the form of a record that they can no longer save, since it was deleted or they may not change it any more: shown, so that
// it can be copied.
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Ask } from '../ask.tsx';
import { Value } from '../record/properties.tsx';
import { time } from '../words.ts';
import { dropDraft, placeOfDraft, readDraft } from './drafts.ts';
import { bare, changedBetween } from './values.ts';
import { e, fieldName } from './words.ts';

/** The draft of the form at an address, with the way to be rid of it; nothing where there is none. */
export function LeftDraft({ address }: { readonly address: string }): JSX.Element | null {
  const place = useMemo(() => placeOfDraft(address), [address]);
  const [draft, setDraft] = useState(() => readDraft(place));
  const [isAsked, setAsked] = useState(false);
  if (draft === null) return null;
  const { base, value, at } = draft;
  const names = changedBetween(Object.keys({ ...base, ...value }), base, value);
  const discard = (): void => {
    dropDraft(place);
    setDraft(null);
  };
  return (
    <section aria-labelledby="left-draft">
      <h2 id="left-draft">{e('draft_left', { when: time(at) })}</h2>
      <dl class="properties">
        {names.map((name) => (
          <div key={name}>
            <dt>{fieldName(name)}</dt>
            <dd>
              <Value name={name} value={bare(value[name])} />
            </dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => setAsked(true)}>
          {e('discard')}
        </button>
      </div>
      {isAsked && (
        <Ask
          title={e('discard')}
          text={e('discard_question')}
          yes={e('discard')}
          no={e('stay')}
          onYes={discard}
          onNo={() => setAsked(false)}
        />
      )}
    </section>
  );
}
