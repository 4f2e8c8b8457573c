// The history of a record: who saved it and when, and what each save changed, property by property.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { Fault, Waiting, useAsked } from '../asking.tsx';
import { Pager } from '../pager.tsx';
import { isWord, t, time } from '../words.ts';
import { Changes } from './changes.tsx';
import { Compare } from './comparing.tsx';
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
  const [page, setPage] = useState(1);
  const { value, fault, isWaiting, again } = useAsked(isOpen ? `${uri}/history` : null, {
    page,
    page_size: mostShown,
  });
  const entries = isObject(value) ? objectsOf(value, 'results') : [];
  const last = isObject(value) ? Number(value['last_page'] ?? 1) : 1;
  return (
    <details class="history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('history')}</summary>
      {fault !== null && <Fault fault={fault} again={again} />}
      {isWaiting && value === undefined && <Waiting />}
      <Compare uri={uri} entries={entries} />
      <ol>
        {entries.map((entry, index) => (
          <Entry key={`${String(entry['state'])} ${index}`} entry={entry}>
            {lockVersion !== null && (page > 1 || index > 0) && (
              <EarlierState entry={entry} uri={uri} lockVersion={lockVersion} onDone={onRestored} />
            )}
          </Entry>
        ))}
      </ol>
      <Pager label={t('history')} page={page} last={last} onTurn={setPage} />
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
      {changes.length > 0 && <Changes changes={changes} />}
      {children}
    </li>
  );
}
