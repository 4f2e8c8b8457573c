// A link to another record: its title, or a search for it while it is typed.
import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { useAsked } from '../asking.tsx';
import { Combobox } from '../finding/combobox.tsx';
import { typeName } from '../labels.ts';
import { Title, withoutMarkup } from '../markup.tsx';
import { chosenRepository } from '../repositories.ts';
import { said } from '../saying.ts';
import { may } from '../session.ts';
import { InForm, below, change, idOf, useFaults, useValue } from './form.tsx';
import { FaultsAt, Input } from './inputs.tsx';
import { listedAt, nameOf } from './lists.ts';
import { at, typedIn } from './values.ts';
import { e } from './words.ts';

type Linking = { readonly path: string; readonly to: readonly string[]; readonly label: string };

/** Which record is linked to, at `{path}/ref`. */
export function Linked({ path, to, label }: Linking): JSX.Element {
  const form = useContext(InForm);
  const value = useValue(path);
  const link = isObject(value) ? value : {};
  const ref = textOf(link, 'ref') ?? '';
  const place = listedAt(to);
  if (place !== undefined)
    return <Input path={below(path, 'ref')} shape={{ is: 'uri', to }} label={label} isRequired={false} />;
  if (ref === '') return <Looking path={path} to={to} label={label} />;
  const other = (): void => {
    const { ref: _, _resolved: __, ...left } = link;
    change(form, path, left);
    requestAnimationFrame(() => document.getElementById(idOf(below(path, 'ref')))?.focus());
  };
  return (
    <div class="field wide linked">
      <LinkedTitle uri={ref} record={objectOf(link, '_resolved')} />
      <button type="button" id={idOf(below(path, 'ref'))} onClick={other}>
        {e('choose_other')}
      </button>
      <FaultsAt path={below(path, 'ref')} />
    </div>
  );
}

function LinkedTitle({ uri, record }: { readonly uri: string; readonly record: JsonObject | undefined }): JSX.Element {
  const { value } = useAsked(record === undefined ? uri : null);
  const found = record ?? (isObject(value) ? value : undefined);
  return (
    // In another window: what is typed here stays in sight.
    <a href={recordAddress(uri)} target="_blank">
      {found === undefined ? uri : <Title text={nameOf(found)} />}
    </a>
  );
}

function Looking({ path, to, label }: Linking): JSX.Element {
  const form = useContext(InForm);
  const value = useValue(path);
  const link = isObject(value) ? value : {};
  const isWrong = useFaults(below(path, 'ref')).length > 0;
  const id = idOf(below(path, 'ref'));
  const choose = (row: JsonObject): void => {
    const before = at(form.value.peek(), path);
    const { [typedIn]: _, ...others } = isObject(before) ? before : {};
    const chosen = { ref: textOf(row, 'uri') ?? '', _resolved: { title: textOf(row, 'title') ?? '' } };
    change(form, path, { ...others, ...chosen });
    said.value = e('chosen', { title: withoutMarkup(textOf(row, 'title') ?? '') });
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  return (
    <div class="field wide">
      <Combobox
        id={id}
        label={<span class="needed">{label}</span>}
        typed={textOf(link, typedIn) ?? ''}
        onType={(text) => change(form, path, { ...link, [typedIn]: text })}
        onChoose={choose}
        repository={form.repository ?? (may('view_all_records', null) ? null : chosenRepository(true))}
        types={to}
        placeholder={e('search_title', { types: to.map(typeName).join(', ') })}
        isInvalid={isWrong}
        describedBy={isWrong ? `${id}-fault` : undefined}
      />
      <FaultsAt path={below(path, 'ref')} />
    </div>
  );
}
