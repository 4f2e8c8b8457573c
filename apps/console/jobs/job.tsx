// One job: how it is, followed while it runs, with its log, its files, and what it made.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { JobFailed, awaitJob } from '../../../libs/client/jobs.ts';
import type { JobEnd } from '../../../libs/client/jobs.ts';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, textOf } from '../../../libs/domain/json.ts';
import { Fault, Instead, useAsked } from '../asking.tsx';
import { service } from '../session.ts';
import { useTitle } from '../title.ts';
import { t, time } from '../words.ts';
import { RunAgain } from './again.tsx';
import { Cancel } from './cancel.tsx';
import { Files } from './files.tsx';
import { givenFiles } from './given-files.ts';
import { readImportLog } from './import-log.ts';
import { jobName } from './jobs.tsx';
import { Made } from './made.tsx';
import { Progress, tookOf } from './progress.tsx';
import { Status } from './status.tsx';
import { Faults, NotTaken } from './told.tsx';
import { Why } from './why.tsx';
import { j } from './words.ts';

const mostLines = 2000;
/** Whether a job did everything but store. */
const isOnlyChecked = (asked: JsonObject): boolean =>
  ['only_validate', 'dry_run'].some((name) => ['1', 'true', true].includes(asked[name] as string | true));
const hasEnded = (status: string): boolean => status !== 'queued' && status !== 'running';

/** The view of a job; `rest` is its uri. */
export function JobView({ rest: uri }: { readonly rest: string }): JSX.Element {
  const { value, fault, again } = useAsked(uri);
  const job = isObject(value) ? value : undefined;
  useTitle(job === undefined ? t('job') : jobName(job));
  // Of a service that is away the log below tells, which goes on by itself.
  if (job === undefined) return <Instead title={t('job')} fault={fault} again={again} />;
  const status = textOf(job, 'status') ?? '';
  const asked = objectOf(job, 'job') ?? {};
  const took = tookOf(job);
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
        {took !== null && <span>{j('took_so_long', { time: took })}</span>}
        {isOnlyChecked(asked) && <span class="badge">{j('only_checked')}</span>}
        {typeof job['queue_position'] === 'number' && (
          <span>{t('queue_position', { count: job['queue_position'] + 1 })}</span>
        )}
      </p>
      <Why job={job} />
      {!hasEnded(status) && <Cancel uri={uri} type={textOf(job, 'job_type') ?? ''} onDone={again} />}
      {!hasEnded(status) && <Progress progress={objectOf(job, 'progress')} />}
      {hasEnded(status) && <Made uri={uri} job={job} />}
      <Followed uri={uri} isOnlyChecked={isOnlyChecked(asked)} onChange={again} />
      {hasEnded(status) && <Files uri={uri} given={givenFiles(asked)} />}
      {hasEnded(status) && <RunAgain uri={uri} job={job} />}
    </article>
  );
}

type Following = { readonly uri: string; readonly isOnlyChecked: boolean; readonly onChange: () => void };

/** The log, as it grows; `onChange` is called when something else of the job may have changed. */
function Followed({ uri, isOnlyChecked, onChange }: Following): JSX.Element {
  const [lines, setLines] = useState<readonly string[]>([]);
  const [end, setEnd] = useState<JobEnd | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  const told = useRef(readImportLog());
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
    told.current = readImportLog();
    awaitJob(service, uri, {
      signal: stop.signal,
      onLine: (line) => {
        fresh.push(line);
        told.current.take(line);
      },
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
      {end !== null && end.status === 'failed' && <Faults faults={told.current.faults()} lines={end.errors} />}
      {end !== null && <NotTaken files={told.current.leftOut()} isOnlyChecked={isOnlyChecked} />}
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
