// What others saved while somebody edited the same record: for each field that both changed, what it was, theirs and yours, and which one stays.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { textOf } from '../../../libs/domain/json.ts';
import { Value } from '../record/properties.tsx';
import { time } from '../words.ts';
import { bare, changedBetween, isSame, put } from './values.ts';
import { e, fieldName } from './words.ts';

/** A record as somebody began with it, as others have it now, and as it was typed. */
type Versions = { readonly base: JsonObject; readonly theirs: JsonObject; readonly mine: JsonObject };

type Resolving = Versions & {
  /** The fields of the form. */
  readonly names: readonly string[];
  /** Hears the record as it is to be: theirs, with what was typed wherever that was chosen or they changed nothing. */
  readonly onResolved: (value: JsonObject) => void;
};

/** The versions side by side. */
export function Conflict({ base, theirs, mine, names, onResolved }: Resolving): JSX.Element {
  const [chosen, setChosen] = useState<{ readonly [name: string]: 'theirs' | 'mine' }>({});
  const [isEarly, setEarly] = useState(false);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  const byThem = changedBetween(names, base, theirs);
  const byMe = changedBetween(names, base, mine);
  const both = byThem.filter((name) => byMe.includes(name) && !isSame(theirs[name], mine[name]));
  const others = byThem.filter((name) => !byMe.includes(name));
  const resolve = (): void => {
    if (both.some((name) => chosen[name] === undefined)) {
      setEarly(true);
      return;
    }
    const taken = byMe.filter((name) => !both.includes(name) || chosen[name] === 'mine');
    onResolved(taken.reduce<JsonObject>((value, name) => put(value, name, mine[name]) as JsonObject, theirs));
  };
  return (
    <section class="conflict" aria-labelledby="conflict">
      <h2 id="conflict" tabIndex={-1} ref={head}>
        {e('conflict_title')}
      </h2>
      <p>
        {e('conflict_by', { who: textOf(theirs, 'last_modified_by') ?? '–', when: time(textOf(theirs, 'user_mtime')) })}
      </p>
      {both.length === 0 && <p>{e('conflict_none')}</p>}
      {both.map((name) => (
        <fieldset key={name} class="versions">
          <legend>{fieldName(name)}</legend>
          <div class="version">
            <p class="soft">{e('was')}</p>
            <Shown name={name} value={base[name]} />
          </div>
          {(['theirs', 'mine'] as const).map((which) => (
            <div key={which} class={chosen[name] === which ? 'version chosen' : 'version'}>
              <label>
                <input
                  type="radio"
                  name={`conflict-${name}`}
                  checked={chosen[name] === which}
                  onChange={() => setChosen({ ...chosen, [name]: which })}
                />{' '}
                {e(which === 'mine' ? 'yours' : 'theirs')}
                <span class="hidden"> {fieldName(name)}</span>
              </label>
              <Shown name={name} value={(which === 'mine' ? mine : theirs)[name]} />
            </div>
          ))}
        </fieldset>
      ))}
      {others.length > 0 && (
        <div class="wide">
          <table>
            <caption>{e('conflict_theirs')}</caption>
            <thead>
              <tr>
                <th scope="col">{e('field')}</th>
                <th scope="col">{e('was')}</th>
                <th scope="col">{e('theirs')}</th>
              </tr>
            </thead>
            <tbody>
              {others.map((name) => (
                <tr key={name}>
                  <th scope="row">{fieldName(name)}</th>
                  <td>
                    <Shown name={name} value={base[name]} />
                  </td>
                  <td>
                    <Shown name={name} value={theirs[name]} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isEarly && (
        <p class="fault" role="alert">
          {e('conflict_left')}
        </p>
      )}
      <div class="buttons">
        <button type="button" class="main" onClick={resolve}>
          {e('conflict_save')}
        </button>
      </div>
    </section>
  );
}

function Shown({ name, value }: { readonly name: string; readonly value: Json | undefined }): JSX.Element {
  const said = withTitles(value);
  return said === null || said === '' || (Array.isArray(said) && said.length === 0) ? (
    <p class="soft">{e('nothing')}</p>
  ) : (
    <div class="said">
      <Value name={name} value={said} />
    </div>
  );
}

/** A value without what the service keeps in it, but with the titles of what it links to. */
const withTitles = (value: Json | undefined): Json => (isSame(value, null) ? null : (value ?? bare(value)));
