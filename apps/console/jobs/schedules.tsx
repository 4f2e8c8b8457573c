// What runs by the clock, and how it went the last time.
import type { JSX } from 'preact';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectOf, objectsIn, textOf } from '../../../libs/domain/json.ts';
import { Fault, useAsked } from '../asking.tsx';
import { words } from '../labels.ts';
import { Section } from '../section.tsx';
import { Table } from '../table.tsx';
import { time } from '../words.ts';
import { Status } from './status.tsx';
import { j } from './words.ts';

/** The schedules, each with its newest job; for administrators of the system. */
export function Schedules(): JSX.Element {
  const { value, fault, again } = useAsked('/system/schedules');
  const rows = objectsIn(value);
  return (
    <Section id="clock" title={j('clock')}>
      {fault !== null ? (
        <Fault fault={fault} again={again} />
      ) : value !== undefined && rows.length === 0 ? (
        <p class="empty">{j('nothing_by_clock')}</p>
      ) : (
        <Table
          title={j('clock')}
          columns={[j('schedule'), j('when'), j('last_run')]}
          rows={rows.map((row) => [
            words(textOf(row, 'name') ?? ''),
            <code key="when">{`${textOf(row, 'cron') ?? ''} (${textOf(row, 'timezone') ?? ''})`}</code>,
            <LastJob key="last" job={objectOf(row, 'last_job')} />,
          ])}
        />
      )}
    </Section>
  );
}

function LastJob({ job }: { readonly job: JsonObject | undefined }): JSX.Element {
  if (job === undefined) return <>{j('never')}</>;
  return (
    <>
      <Status status={textOf(job, 'status') ?? ''} /> {time(textOf(job, 'time_submitted'))}
    </>
  );
}
