// The differences of a report: narrowed by what the address says, page by page, with both values side by side.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { go, query, recordAddress, withQuery } from '../address.ts';
import { Pager } from '../pager.tsx';
import { useTyped } from '../typed.ts';
import { number } from '../words.ts';
import { differing } from './differing.ts';
import type { Narrowing } from './narrowing.ts';
import { narrowed, narrowingOf, parts, valuesOf } from './narrowing.ts';
import type { Difference, Report } from './report.ts';
import { sorts } from './report.ts';
import { say } from './words.ts';

const pageSize = 50;
const headId = 'differences';

/** Goes to an address of the view, and there to the differences. */
export function goToDifferences(to: string): void {
  go(to);
  document.getElementById(headId)?.focus();
}

// A choice that is longer is none; what is typed narrows it down.
const mostValues = 300;

const none = Object.fromEntries(parts.map((part) => [part, null]));

/** The filters, and the differences that pass them. */
export function Differences({ report: { kept } }: { readonly report: Report }): JSX.Element {
  const narrowing = narrowingOf(query.value);
  const found = useMemo(() => narrowed(kept, narrowing), [kept, JSON.stringify(narrowing)]);
  const last = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.min(last, Math.max(1, Number(query.value.get('page')) || 1));
  const isNarrowed = parts.some((part) => narrowing[part] !== '');
  return (
    <>
      <h3 id={headId} tabIndex={-1}>
        {say('each')}
      </h3>
      <search class="find">
        <Choices all={kept} narrowing={narrowing} />
        <TextField />
      </search>
      <p class="count" role="status">
        {say('shown', { count: found.length, total: kept.length })}{' '}
        {isNarrowed && (
          <button type="button" class="plain" onClick={() => go(withQuery(none), true)}>
            {say('show_all')}
          </button>
        )}
      </p>
      {found.length === 0 && <p class="empty">{say('none_so')}</p>}
      <ol class="differences" aria-labelledby={headId}>
        {found.slice((page - 1) * pageSize, page * pageSize).map((each, index) => (
          <Shown key={`${page} ${index}`} difference={each} />
        ))}
      </ol>
      <Pager
        label={say('each')}
        page={page}
        last={last}
        onTurn={(to) => goToDifferences(withQuery({ page: String(to) }))}
      />
    </>
  );
}

type Choosing = { readonly all: readonly Difference[]; readonly narrowing: Narrowing };

function Choices({ all, narrowing }: Choosing): JSX.Element {
  const nameOf = (part: string, value: string): string => {
    const sort = sorts.find((each) => part === 'sort' && each === value);
    return sort === undefined ? value : say(sort);
  };
  const choices = useMemo(
    () => (['sort', 'list', 'property'] as const).map((part) => [part, valuesOf(all, part, narrowing)] as const),
    [all, JSON.stringify(narrowing)],
  );
  return (
    <>
      {choices.map(([part, values]) => (
        <label key={part} class="choice">
          <span>{say(`by_${part}`)}</span>
          <select
            value={narrowing[part]}
            onChange={(event) => go(withQuery({ [part]: event.currentTarget.value }), true)}
          >
            <option value="">{say('any')}</option>
            {narrowing[part] !== '' && !values.some(([value]) => value === narrowing[part]) && (
              <option value={narrowing[part]}>{nameOf(part, narrowing[part])}</option>
            )}
            {values.slice(0, mostValues).map(([value, count]) => (
              <option key={value} value={value}>
                {nameOf(part, value)} ({number(count)})
              </option>
            ))}
          </select>
        </label>
      ))}
    </>
  );
}

function TextField(): JSX.Element {
  const [typed, type] = useTyped('text');
  return (
    <label class="choice by-text">
      <span>{say('by_text')}</span>
      <input type="search" value={typed} onInput={(event) => type(event.currentTarget.value)} />
    </label>
  );
}

/** What is nowhere in this service cannot be shown. */
const isHere = ({ sort, uri }: Difference): boolean =>
  sort !== 'missing' && sort !== 'deleted' && /^\/[a-z_]+[a-z_/\d]*\/\d+$/.test(uri);

function Shown({ difference }: { readonly difference: Difference }): JSX.Element {
  const { sort, uri, property, place, source, here } = difference;
  return (
    <li>
      <p class="facts">
        <span class="badge">{say(sort)}</span>
        {isHere(difference) ? (
          <a href={recordAddress(uri)}>
            <bdi>{uri}</bdi>
          </a>
        ) : (
          <bdi>{uri}</bdi>
        )}
        {place !== '' && <code>{place}</code>}
        {sort === 'search' && <span>{property}</span>}
      </p>
      {sort === 'unread' ? (
        <p class="reason">
          {say(here === null ? 'unread_source' : 'unread_here')} <bdi>{source ?? here}</bdi>
        </p>
      ) : source === null && here === null ? null : (
        <Pair source={source} here={here} />
      )}
    </li>
  );
}

// Of what is the same before and behind the place that differs, and of the place itself, as many characters.
const mostAround = 160;
const mostOfPlace = 2000;

/** Both values, with what differs marked; long ones in part, and whole where somebody opens them. */
function Pair({ source, here }: { readonly source: string | null; readonly here: string | null }): JSX.Element {
  const { before, after, ...own } = differing(source ?? '', here ?? '');
  const sides = [
    [say('source'), source, own.source],
    [say('here'), here, own.here],
  ] as const;
  const isCut =
    Math.max(before.length, after.length) > mostAround || Math.max(own.source.length, own.here.length) > mostOfPlace;
  return (
    <>
      <div class="versions pair">
        {sides.map(([label, text, part]) => (
          <div key={label} class="version">
            <p class="soft">{label}</p>
            {text === null || text === '' ? (
              <p class="soft">{say(text === null ? 'nothing' : 'empty_text')}</p>
            ) : (
              <p class="value" dir="auto">
                {before.length > mostAround ? `…${before.slice(-mostAround)}` : before}
                {part !== '' && <mark>{part.length > mostOfPlace ? `${part.slice(0, mostOfPlace)}…` : part}</mark>}
                {after.length > mostAround ? `${after.slice(0, mostAround)}…` : after}
              </p>
            )}
          </div>
        ))}
      </div>
      {isCut && (
        <details>
          <summary>{say('whole')}</summary>
          <div class="versions pair">
            {sides.map(([label, text]) => (
              <div key={label} class="version">
                <p class="soft">{label}</p>
                <p class="value" dir="auto">
                  {text}
                </p>
              </div>
            ))}
          </div>
        </details>
      )}
    </>
  );
}
