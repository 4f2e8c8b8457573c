// Readings of other services, and loads of records from elsewhere: jobs that belong to no repository, followed while one of them waits or runs.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectOf, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { Fault, Waiting } from '../asking.tsx';
import { Cancel } from '../jobs/cancel.tsx';
import { loadTypes, useJobsOfNoRepository } from '../jobs/of-no-repository.ts';
import { Progress } from '../jobs/progress.tsx';
import { Status } from '../jobs/status.tsx';
import { Table } from '../table.tsx';
import { t, time } from '../words.ts';
import { say } from './words.ts';

const mostShown = 10;
const pauseMs = 2000;
const idleMs = 10_000;

/** The newest of both, with how far those that run are. */
export function Loads(): JSX.Element {
  const { jobs, fault, isWaiting, again } = useJobsOfNoRepository((type) => loadTypes.includes(type));
  const loads = (jobs ?? []).slice(0, mostShown);
  const isBusy = loads.some((job) => isOpen(job));
  useEffect(() => {
    // A service that is away is asked again as it is.
    if (fault !== null || isWaiting) return undefined;
    const timer = setTimeout(again, isBusy ? pauseMs : idleMs);
    return () => clearTimeout(timer);
  }, [fault, isWaiting, isBusy]);
  if (fault !== null) return <Fault fault={fault} again={again} />;
  if (jobs === undefined) return <Waiting />;
  if (loads.length === 0) return <p class="empty">{say('no_loads')}</p>;
  return (
    <Table
      title={say('loads')}
      columns={[say('load'), t('p_status'), t('job_owner'), t('job_submitted')]}
      isNamed
      rows={loads.map((job) => {
        const uri = textOf(job, 'uri') ?? '';
        return [
          <a key="uri" href={recordAddress(uri)}>
            {say(textOf(job, 'job_type') === 'migrate-from' ? 'reading_number' : 'load_number', {
              id: uri.split('/').at(-1) ?? '',
            })}
          </a>,
          <div key="status">
            <Status status={textOf(job, 'status') ?? ''} />
            <Progress progress={objectOf(job, 'progress')} />
            {isOpen(job) && <Cancel uri={uri} type={textOf(job, 'job_type') ?? ''} onDone={again} />}
          </div>,
          <bdi key="owner">{textOf(job, 'owner') ?? '–'}</bdi>,
          time(textOf(job, 'time_submitted')),
        ];
      })}
    />
  );
}

const isOpen = (job: JsonObject): boolean => ['queued', 'running'].includes(textOf(job, 'status') ?? '');
