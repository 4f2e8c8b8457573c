// One job: how it is, followed while it runs, with its log, its files, and what it made.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { JobFailed, awaitJob } from '../../../libs/client/jobs.ts';
import type { JobEnd } from '../../../libs/client/jobs.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { Fault, Waiting, useAsked } from '../asking.tsx';
import { Title } from '../markup.tsx';
import { service } from '../session.ts';
import { useTitle } from '../title.ts';
import { t, time } from '../words.ts';
import { Cancel } from './cancel.tsx';
import { Files } from './files.tsx';
import { jobName } from './jobs.tsx';
import { Progress } from './progress.tsx';
import { Status } from './status.tsx';

const mostLines = 2000;
const hasEnded = (status: string): boolean => status !== 'queued' && status !== 'running';

/** The view of a job; `rest` is its uri. */
export function JobView({ rest: uri }: { readonly rest: string }): JSX.Element {
  const { value, fault, again } = useAsked(uri);
  const job = isObject(value) ? value : undefined;
  useTitle(job === undefined ? t('job') : jobName(job));
  // Of a service that is away the log below tells, which goes on by itself.
  if (fault !== null && job === undefined) return <Fault fault={fault} again={again} />;
  if (job === undefined) return <Waiting />;
  const status = textOf(job, 'status') ?? '';
  return (
    <article class="job">
      <p class="kicker">
        <a href="/console/jobs">{t('nav_jobs')}</a>
      </p>
      <h1>
        <bdi>{jobName(job)}</bdi>
      </h1>
      <p class="facts">
        <Status status={status} />
        <span>
          <bdi>{textOf(job, 'owner') ?? '–'}</bdi>
        </span>
        <span>{time(textOf(job, 'time_submitted'))}</span>
        {typeof job['queue_position'] === 'number' && (
          <span>{t('queue_position', { count: job['queue_position'] + 1 })}</span>
        )}
      </p>
      {!hasEnded(status) && <Cancel uri={uri} onDone={again} />}
      {hasEnded(status) && <Made uri={uri} />}
      <Followed uri={uri} onChange={again} />
      {!hasEnded(status) && <Progress progress={objectOf(job, 'progress')} />}
      {hasEnded(status) && <Files uri={uri} />}
    </article>
  );
}

/** The log, as it grows; `onChange` is called when something else of the job may have changed. */
function Followed({ uri, onChange }: { readonly uri: string; readonly onChange: () => void }): JSX.Element {
  const [lines, setLines] = useState<readonly string[]>([]);
  const [end, setEnd] = useState<JobEnd | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  const box = useRef<HTMLPreElement>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  useEffect(() => {
    const stop = new AbortController();
    let fresh: string[] = [];
    let before = '';
    const take = (): void => {
      const taken = fresh;
      fresh = [];
      if (taken.length > 0) setLines((known) => [...known, ...taken].slice(-mostLines));
    };
    // It is read from its beginning.
    setLines([]);
    awaitJob(service, uri, {
      signal: stop.signal,
      onLine: (line) => void fresh.push(line),
      onLost: setFault,
      onProgress: (state) => {
        setFault(null);
        take();
        const now = JSON.stringify(state);
        if (before !== '' && before !== now) changed.current();
        before = now;
      },
    })
      .catch((error: unknown) => {
        if (error instanceof JobFailed) return error.end;
        throw error;
      })
      .then(
        (ended) => {
          take();
          setEnd(ended);
          changed.current();
        },
        (error: unknown) => {
          if (!stop.signal.aborted) setFault(error);
        },
      );
    return () => stop.abort();
  }, [uri, turn]);
  useEffect(() => {
    // The end of the log stays in sight while it grows.
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  return (
    <>
      {fault !== null && <Fault fault={fault} again={() => setTurn(turn + 1)} />}
      {end !== null && end.status === 'failed' && <Faults lines={end.errors} />}
      <h2 id="log">{t('log')}</h2>
      {lines.length === 0 ? (
        <p class="empty">{t(end === null ? 'waiting' : 'log_empty')}</p>
      ) : (
        <pre class="log" ref={box} tabIndex={0} aria-labelledby="log">
          {lines.join('\n')}
        </pre>
      )}
    </>
  );
}

/** A line of the log that is a fault as JSON, as one to read; null where it is none. */
function placed(line: string): string | null {
  if (!line.startsWith('{')) return null;
  try {
    const fault: unknown = JSON.parse(line);
    const message = isObject(fault) ? textOf(fault, 'message') : undefined;
    if (!isObject(fault) || message === undefined) return null;
    const [at, column] = [fault['line'], fault['column']];
    if (typeof at !== 'number') return message;
    return `${typeof column === 'number' ? t('at_column', { line: at, column }) : t('at_line', { line: at })}: ${message}`;
  } catch {
    return null;
  }
}

/** What was wrong with the files of an import, a line for each. */
function Faults({ lines }: { readonly lines: readonly string[] }): JSX.Element {
  // The log tells such a fault twice: property by property for people, and whole for programs.
  const whole = lines.map(placed).filter((line) => line !== null);
  return (
    <section class="fault-box" aria-labelledby="faults">
      <h2 id="faults">{t('job_faults')}</h2>
      <p>{t('job_faults_more')}</p>
      <ul>
        {(whole.length > 0 ? whole : lines).map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

/** The records that the job made or changed, and the way into them. */
function Made({ uri }: { readonly uri: string }): JSX.Element | null {
  const { value } = useAsked(`${uri}/records`, { page: 1, page_size: 10, resolve: ['record'] });
  const rows = isObject(value) ? objectsOf(value, 'results').map((row) => objectOf(row, 'record') ?? {}) : [];
  const total = isObject(value) ? Number(value['total'] ?? 0) : 0;
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="made">
      <h2 id="made">{t('job_made', { count: total })}</h2>
      <ul>
        {rows.map((row) => {
          const record = objectOf(row, '_resolved');
          return (
            <li key={textOf(row, 'ref')}>
              <a href={recordAddress(textOf(row, 'ref') ?? '')}>
                <Title text={textOf(record, 'display_string') ?? textOf(record, 'title') ?? textOf(row, 'ref')} />
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
