// How the search index was made anew, at night or by hand: a picture of the runs, with how long each took, and a table that says the same.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectsIn, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { Fault, useAsked } from '../asking.tsx';
import { valueName } from '../labels.ts';
import { may } from '../session.ts';
import { Table } from '../table.tsx';
import { t, time } from '../words.ts';
import { useJobsOfNoRepository } from './of-no-repository.ts';
import { duration, secondsOf, tookOf } from './progress.tsx';
import { Status } from './status.tsx';
import { j } from './words.ts';

const mostShown = 30;
const pauseMs = 2000;
// Of a bar and the gap behind it, and of the picture.
const [wide, step, height] = [3, 4, 30];

/** The newest runs, oldest first in the picture; nothing where there was none, and for those who may not have the index made anew. */
export function Reindexing(): JSX.Element | null {
  const isAdministrator = may('administer_system', null);
  const { jobs, fault, isWaiting, again } = useJobsOfNoRepository(
    (type) => type === 'reindex',
    isAdministrator || may('index_system', null),
  );
  const schedule = objectsIn(useAsked(isAdministrator ? '/system/schedules' : null).value).find(
    (each) => textOf(each, 'name') === 'reindex',
  );
  const runs = (jobs ?? []).slice(0, mostShown);
  const isBusy = runs.some((run) => ['queued', 'running'].includes(statusOf(run)));
  useEffect(() => {
    if (!isBusy || isWaiting || fault !== null) return undefined;
    const timer = setTimeout(again, pauseMs);
    return () => clearTimeout(timer);
  }, [isBusy, isWaiting, fault]);
  if (fault !== null && runs.length === 0) return <Fault fault={fault} again={again} />;
  if (runs.length === 0) return null;
  return (
    <section class="runs" aria-labelledby="reindexing">
      <h2 id="reindexing">{j('reindexing')}</h2>
      {schedule !== undefined && (
        <p class="hint">
          {j('scheduled', { cron: textOf(schedule, 'cron') ?? '', zone: textOf(schedule, 'timezone') ?? '' })}
        </p>
      )}
      <Picture runs={runs} />
      <details>
        <summary>{j('runs')}</summary>
        <Table
          title={j('reindexing')}
          columns={[t('job'), t('p_status'), j('took'), t('job_owner'), t('job_submitted')]}
          isNamed
          rows={runs.map((run) => [
            <a key="uri" href={recordAddress(textOf(run, 'uri') ?? '')}>
              {j('run', { id: textOf(run, 'uri')?.split('/').at(-1) ?? '' })}
            </a>,
            <Status key="status" status={statusOf(run)} />,
            tookOf(run) ?? '–',
            <bdi key="owner">{textOf(run, 'owner') ?? '–'}</bdi>,
            time(textOf(run, 'time_submitted')),
          ])}
        />
      </details>
    </section>
  );
}

function Picture({ runs }: { readonly runs: readonly JsonObject[] }): JSX.Element {
  const [last = {}] = runs;
  const most = Math.max(0, ...runs.map((run) => secondsOf(run) ?? 0));
  const failed = runs.filter((run) => statusOf(run) === 'failed').length;
  const status = valueName('status', statusOf(last));
  return (
    <div class="pictures">
      <figure>
        <figcaption>{j('last', { status })}</figcaption>
        <span class="now">{tookOf(last) ?? '–'}</span>{' '}
        <span class="soft">{j('longest', { time: duration(most) })}</span>
        <svg
          viewBox={`0 0 ${mostShown * step} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={j('picture', { count: runs.length, last: tookOf(last) ?? '–', longest: duration(most), failed })}
        >
          <line x1="0" x2={mostShown * step} y1={height - 1} y2={height - 1} />
          {runs.toReversed().map((run, at) => {
            // One that took no time is seen, too.
            const tall = Math.max(2, most === 0 ? 0 : ((secondsOf(run) ?? 0) / most) * (height - 2));
            return (
              <rect
                key={textOf(run, 'uri')}
                class={statusOf(run)}
                x={at * step}
                y={(height - 1 - tall).toFixed(1)}
                width={wide}
                height={tall.toFixed(1)}
              />
            );
          })}
        </svg>
      </figure>
    </div>
  );
}

const statusOf = (run: JsonObject): string => textOf(run, 'status') ?? '';
