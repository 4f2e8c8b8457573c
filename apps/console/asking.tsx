// Asking the service for what a view shows, and what is to be seen while waiting and when something is wrong.
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Query } from '../../libs/client/connection.ts';
import { ConnectionLost, ServiceError } from '../../libs/client/errors.ts';
import type { Json } from '../../libs/domain/json.ts';
import { isObject } from '../../libs/domain/json.ts';
import { service } from './session.ts';
import { t } from './words.ts';

/** What was asked for. `value` is the last answer, which stays while the next is waited for and while the service is away. */
export type Asked = {
  readonly value: Json | undefined;
  readonly fault: unknown;
  readonly isWaiting: boolean;
  readonly again: () => void;
};

/** How long is waited before a service that was away is asked again, in milliseconds. */
export const awayMs = 3000;

/** Whether a fault says that nobody is there to answer: the service itself, or what a proxy has behind it. */
export const isAway = (fault: unknown): boolean =>
  fault instanceof ConnectionLost || (fault instanceof ServiceError && [502, 503, 504].includes(fault.status));

/**
 * Asks for a path, and anew when it or the query changes; null asks for nothing. While the service is away it is asked again by itself, with
 * what is wrong in sight until there is an answer.
 */
export function useAsked(path: string | null, query: Query = {}): Asked {
  const [turn, setTurn] = useState({ isQuiet: false });
  const [state, setState] = useState<Omit<Asked, 'again'>>({ value: undefined, fault: null, isWaiting: path !== null });
  const key = JSON.stringify([path, query]);
  // Before the browser paints what is there without the answer, so that it is asked for meanwhile.
  useLayoutEffect(() => {
    if (path === null) {
      setState({ value: undefined, fault: null, isWaiting: false });
      return;
    }
    const stop = new AbortController();
    // What is said of a service that is away stays while it is asked again: readers of screens would hear it anew each time.
    setState(({ value, fault }) => ({ value, fault: turn.isQuiet ? fault : null, isWaiting: true }));
    service.ask(path, { query, signal: stop.signal }).then(
      (value) => {
        if (!stop.signal.aborted) setState({ value, fault: null, isWaiting: false });
      },
      (fault: unknown) => {
        if (!stop.signal.aborted)
          setState(({ value }) => ({ value: isAway(fault) ? value : undefined, fault, isWaiting: false }));
      },
    );
    return () => stop.abort();
  }, [key, turn]);
  useEffect(() => {
    if (state.isWaiting || !isAway(state.fault)) return undefined;
    const timer = setTimeout(() => setTurn({ isQuiet: true }), awayMs);
    return () => clearTimeout(timer);
  }, [state]);
  return { ...state, again: () => setTurn({ isQuiet: false }) };
}

/** A value that follows another once that has rested for some milliseconds. */
export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}

/** A line that says that something is on its way; it comes late, so that what is quick does not flicker. */
export const Waiting = (): JSX.Element => (
  <p class="waiting" role="status">
    {t('waiting')}
  </p>
);

/** What stands in place of a whole view while it is waited for, or where it cannot be had: a fault, under a heading for those who go by headings. */
export const Instead = ({ title, fault, again }: Absent): JSX.Element => (
  <>
    <h1 class="hidden">{title}</h1>
    {fault === null ? <Waiting /> : <Fault fault={fault} again={again} />}
  </>
);

type Absent = { readonly title: string; readonly fault: unknown; readonly again: () => void };

/** What went wrong, and what to do about it. */
export function Fault({ fault, again }: { readonly fault: unknown; readonly again?: () => void }): JSX.Element {
  return (
    <div class="fault-box" role="alert">
      <p>{adviceOn(fault)}</p>
      {detailsOf(fault).length > 0 && (
        <ul>
          {detailsOf(fault).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {again !== undefined && (
        <button type="button" onClick={again}>
          {t('try_again')}
        </button>
      )}
    </div>
  );
}

function adviceOn(fault: unknown): string {
  if (fault instanceof ConnectionLost) return t('fault_lost');
  if (!(fault instanceof ServiceError)) return t('fault_own', { what: String(fault) });
  if (fault.status === 403) return t('fault_denied');
  if (fault.status === 404) return t('fault_missing');
  if (fault.status === 409) return t('fault_conflict');
  if (fault.status < 500) return t('fault_refused');
  return t('fault_service', { id: fault.requestId ?? '–' });
}

/** What the service says is wrong, in its words: a property and what it says of it. */
function detailsOf(fault: unknown): readonly string[] {
  if (!(fault instanceof ServiceError) || fault.status >= 500 || fault.status === 403) return [];
  const { error } = fault;
  if (typeof error === 'string') return [error];
  if (!isObject(error)) return [];
  return Object.entries(error).map(
    ([name, says]) => `${name}: ${Array.isArray(says) ? says.map(String).join('; ') : JSON.stringify(says)}`,
  );
}
