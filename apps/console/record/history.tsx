// The history of a record: who saved it and when, and what each save changed, property by property.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { Fault, Waiting, useAsked } from '../asking.tsx';
import { propertyName } from '../labels.ts';
import { isWord, t, time } from '../words.ts';

const mostShown = 25;

/** The history, asked for when it is opened. */
export function History({ uri }: { readonly uri: string }): JSX.Element {
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
          <Entry key={`${String(entry['state'])} ${index}`} entry={entry} />
        ))}
      </ol>
    </details>
  );
}

function Entry({ entry }: { readonly entry: JsonObject }): JSX.Element {
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
