// Readings of other services, and loads of records from elsewhere: jobs that belong to no repository, followed while one of them waits or runs.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectOf, objectsIn, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { Fault, Waiting, useAsked } from '../asking.tsx';
import { Cancel } from '../jobs/cancel.tsx';
import { Status } from '../jobs/jobs.tsx';
import { Progress } from '../jobs/progress.tsx';
import { Table } from '../table.tsx';
import { t, time } from '../words.ts';
import { say } from './words.ts';

// Of the jobs of no repository, merges and indexing among them, the newest are looked through.
const mostAsked = 200;
const mostShown = 10;
const pauseMs = 2000;
const idleMs = 10_000;
const types = ['load-records', 'migrate-from'];

/** The newest of both, with how far those that run are. */
export function Loads(): JSX.Element {
  const ids = useAsked('/jobs', { all_ids: true });
  const newest = Array.isArray(ids.value) ? ids.value.slice(-mostAsked).map(String) : [];
  const found = useAsked(newest.length === 0 ? null : '/jobs', { id_set: newest.join(',') });
  const loads = objectsIn(found.value)
    .filter((job) => types.includes(textOf(job, 'job_type') ?? ''))
    .toReversed()
    .slice(0, mostShown);
  const isBusy = loads.some((job) => isOpen(job));
  const again = (): void => {
    ids.again();
    found.again();
  };
  const fault = ids.fault ?? found.fault;
  useEffect(() => {
    // Both ask a service that is away again by themselves.
    if (fault !== null) return undefined;
    const timer = setTimeout(again, isBusy ? pauseMs : idleMs);
    return () => clearTimeout(timer);
  }, [ids.value, found.value, fault]);
  if (fault !== null) return <Fault fault={fault} again={again} />;
  if (ids.value === undefined || (newest.length > 0 && found.value === undefined)) return <Waiting />;
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
            {isOpen(job) && <Cancel uri={uri} onDone={again} />}
          </div>,
          <bdi key="owner">{textOf(job, 'owner') ?? '–'}</bdi>,
          time(textOf(job, 'time_submitted')),
        ];
      })}
    />
  );
}

const isOpen = (job: JsonObject): boolean => ['queued', 'running'].includes(textOf(job, 'status') ?? '');
