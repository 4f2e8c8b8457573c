// Two versions of a record side by side, whichever they are.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, textOf } from '../../../libs/domain/json.ts';
import { differences } from '../../../libs/domain/history/diff.ts';
import { Fault, Waiting, useAsked } from '../asking.tsx';
import { speaker, time } from '../words.ts';
import { Changes } from './changes.tsx';

const say = speaker({
  en: {
    compare: 'Compare two versions',
    older: 'From',
    newer: 'To',
    same: 'These two say the same.',
  },
  de: {
    compare: 'Zwei Fassungen vergleichen',
    older: 'Von',
    newer: 'Zu',
    same: 'Diese beiden sagen dasselbe.',
  },
});

// Kept by the service with each save, or made of what else is said.
const ofService = new Set(
  'lock_version created_by last_modified_by create_time system_mtime user_mtime uri display_string'.split(' '),
);

type Comparing = {
  readonly uri: string;
  /** Entries of the history that are shown, the newest first. */
  readonly entries: readonly JsonObject[];
};

// What was chosen stays to choose while the history is turned to another page.
type Chosen = readonly [older: JsonObject | undefined, newer: JsonObject | undefined];

/** The choice of two versions, with what differs between them; nothing where there is one alone. */
export function Compare({ uri, entries }: Comparing): JSX.Element | null {
  const [chosen, setChosen] = useState<Chosen>([undefined, undefined]);
  const [older, newer] = chosen;
  const known = [...chosen, ...entries]
    .filter((entry) => entry !== undefined)
    .filter((entry) => typeof entry['version'] === 'number' && typeof entry['state'] === 'number');
  const there = [...new Map(known.map((entry) => [keyOf(entry), entry])).values()].toSorted(
    (one, other) => Number(other['version']) - Number(one['version']) || Number(other['state']) - Number(one['state']),
  );
  const choose = (at: 0 | 1, key: string): void => {
    const entry = there.find((each) => keyOf(each) === key);
    setChosen(at === 0 ? [entry, newer] : [older, entry]);
  };
  const before = useVersion(uri, older);
  const after = useVersion(uri, newer);
  if (there.length < 2) return null;
  const choice = (at: 0 | 1): JSX.Element => (
    <label class="choice">
      <span>{say(at === 0 ? 'older' : 'newer')}</span>
      <select
        value={chosen[at] === undefined ? '' : keyOf(chosen[at])}
        onChange={({ currentTarget: { value } }) => choose(at, value)}
      >
        <option value="">–</option>
        {there.map((entry) => (
          <option key={keyOf(entry)} value={keyOf(entry)}>
            {`${time(textOf(entry, 'at'))}, ${textOf(entry, 'by') ?? '–'} (${keyOf(entry)})`}
          </option>
        ))}
      </select>
    </label>
  );
  const isChosen = older !== undefined && newer !== undefined;
  const changes =
    isObject(before.value) && isObject(after.value) ? differences(own(before.value), own(after.value)) : undefined;
  const fault = before.fault ?? after.fault;
  return (
    <details class="comparing">
      <summary>{say('compare')}</summary>
      <div class="buttons">
        {choice(0)}
        {choice(1)}
      </div>
      {isChosen &&
        (fault !== null ? (
          <Fault
            fault={fault}
            again={() => {
              before.again();
              after.again();
            }}
          />
        ) : changes === undefined ? (
          <Waiting />
        ) : changes.length === 0 ? (
          <p class="empty">{say('same')}</p>
        ) : (
          <Changes changes={changes.map((change) => ({ ...change }))} />
        ))}
    </details>
  );
}

// Saves that keep the version, such as a publication, are told apart by their state.
const keyOf = (entry: JsonObject): string => `${String(entry['version'])}.${String(entry['state'])}`;

const useVersion = (uri: string, entry: JsonObject | undefined) =>
  useAsked(entry === undefined ? null : `${uri}/history/${String(entry['version'])}`, {
    state: Number(entry?.['state'] ?? 0),
  });

const own = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !ofService.has(name)));
