// The history of a record: who saved it and when, and what each save changed, property by property.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { Fault, Waiting, useAsked } from '../asking.tsx';
import { propertyName } from '../labels.ts';
import { isWord, t, time } from '../words.ts';
import type { Restoring } from './restoring.tsx';
import { Restore } from './restoring.tsx';

const mostShown = 25;

type Shown = {
  readonly uri: string;
  /** The version that is shown; null for those who may not bring another back. */
  readonly lockVersion: number | null;
  readonly onRestored: () => void;
};

/** The history, asked for when it is opened. */
export function History({ uri, lockVersion, onRestored }: Shown): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { value, fault, isWaiting, again } = useAsked(isOpen ? `${uri}/history` : null, {
    page: 1,
    page_size: mostShown,
  });
  const entries = isObject(value) ? objectsOf(value, 'results') : [];
  return (
    <details class="history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('history')}</summary>
      {fault !== null && <Fault fault={fault} again={again} />}
      {isWaiting && value === undefined && <Waiting />}
      <ol>
        {entries.map((entry, index) => (
          <Entry key={`${String(entry['state'])} ${index}`} entry={entry}>
            {lockVersion !== null && index > 0 && (
              <EarlierState entry={entry} uri={uri} lockVersion={lockVersion} onDone={onRestored} />
            )}
          </Entry>
        ))}
      </ol>
    </details>
  );
}

/** The way back to the state that an entry left behind; a deletion left none. */
function EarlierState({ entry, ...rest }: Omit<Restoring, 'to'> & { readonly entry: JsonObject }): JSX.Element | null {
  const [version, state] = [entry['version'], entry['state']];
  return typeof version === 'number' && typeof state === 'number' ? (
    <Restore {...rest} to={{ version, state }} />
  ) : null;
}

function Entry({ entry, children }: { readonly entry: JsonObject; readonly children: ComponentChildren }): JSX.Element {
  const changes = objectsOf(entry, 'changes');
  const op = `op_${textOf(entry, 'op') ?? ''}`;
  return (
    <li>
      <p>
        <strong>{isWord(op) ? t(op) : (textOf(entry, 'op') ?? '')}</strong> {time(textOf(entry, 'at'))},{' '}
        <bdi>{textOf(entry, 'by') ?? '–'}</bdi>
      </p>
      {changes.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('property')}</th>
              <th scope="col">{t('before')}</th>
              <th scope="col">{t('after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={textOf(change, 'path')}>
                <th scope="row">{placeOf(textOf(change, 'path') ?? '')}</th>
                <td class="before">
                  <del>{shown(change['before'])}</del>
                </td>
                <td class="after">
                  <ins>{shown(change['after'])}</ins>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {children}
    </li>
  );
}

/** A JSON pointer in words; places in lists count from 1. */
const placeOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) =>
      /^\d+$/.test(step) ? String(Number(step) + 1) : propertyName(step.replaceAll('~1', '/').replaceAll('~0', '~')),
    )
    .join(' › ');

const shown = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
