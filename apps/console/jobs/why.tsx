// Why a job is there: who or what made it, for which records, behind which other job.
import type { JSX } from 'preact';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectOf, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { Title } from '../markup.tsx';
import { givenFiles } from './given-files.ts';
import { j } from './words.ts';

/** A sentence, with the way to what it names. */
export function Why({ job }: { readonly job: JsonObject }): JSX.Element | null {
  const reason = objectOf(job, 'reason');
  if (reason === undefined) return null;
  const records = objectsOf(reason, 'records');
  const follows = textOf(objectOf(reason, 'job'), 'ref');
  const by = textOf(reason, 'by');
  const files = givenFiles(objectOf(job, 'job') ?? {});
  return (
    <p class="why">
      {by === 'clock' ? j('by_clock') : by === 'service' ? j('by_service') : j('by_request', { who: whoOf(job) })}
      {files.length > 0 && ` ${j('with_files', { files: files.join(', ') })}`}
      {follows !== undefined && (
        <>
          {' '}
          {j('goes_on')} <a href={recordAddress(follows)}>{j('job_number', { id: follows.split('/').at(-1) ?? '' })}</a>
          {'.'}
        </>
      )}
      {records.length > 0 && (
        <>
          {' '}
          {j('for_records')}{' '}
          {records.map((record, index) => (
            <span key={textOf(record, 'ref')}>
              {index > 0 && ', '}
              <a href={recordAddress(textOf(record, 'ref') ?? '')}>
                <Title text={nameOf(record)} />
              </a>
            </span>
          ))}
          {'.'}
        </>
      )}
    </p>
  );
}

const whoOf = (job: JsonObject): string => textOf(job, 'owner') ?? '–';

function nameOf(record: JsonObject): string {
  const found = objectOf(record, '_resolved');
  return (
    textOf(found, 'display_string') ?? textOf(found, 'title') ?? textOf(found, 'name') ?? textOf(record, 'ref') ?? ''
  );
}
