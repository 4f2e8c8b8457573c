// The shapes of jobs as their owners see them (contract trees-and-jobs 3.1; libs/store/queue/client-jobs.ts makes them).
import { shape } from '../shape.ts';
import { refOf } from './refs.ts';

const { text, integer, number, time, boolean, nullable, object } = shape;

const reason = object(
  {
    by: shape.says(
      shape.oneOf('request', 'clock', 'service'),
      'Somebody asked for it, the clock made it, or the service by itself after an upgrade.',
    ),
  },
  {
    records: shape.says(shape.list(refOf()), 'What it was asked for, ten at most.'),
    job: shape.says(refOf(), 'The job whose work it goes on with, or takes back.'),
  },
);

const progress = object({
  label: text,
  done: integer,
  total: nullable(integer),
  per_second: nullable(number),
  seconds_left: nullable(number),
});

/** A job. What a completed one tells under `result` is that of its type. */
export const job = shape.named(
  'job',
  object(
    {
      jsonmodel_type: shape.oneOf('job'),
      uri: shape.uri,
      lock_version: integer,
      job_type: text,
      job: shape.says(
        shape.anyOf(shape.anyObject, text),
        'What was asked for; the name alone of a type that is no more.',
      ),
      status: shape.oneOf('queued', 'running', 'completed', 'failed', 'canceled'),
      time_submitted: shape.says(text, 'As `2026-01-31 12:00:00 UTC`.'),
      inactive_record: boolean,
      create_time: time,
      system_mtime: time,
      user_mtime: time,
    },
    {
      created_by: text,
      last_modified_by: text,
      owner: text,
      time_started: text,
      time_finished: text,
      job_params: text,
      queue_position: integer,
      has_modified_records: boolean,
      repository: refOf('repository'),
      progress,
      reason: shape.says(reason, 'Why it is there; in the reply for one job alone.'),
      result: shape.says(shape.anything, 'What a completed job tells: of an import, the records by kind.'),
    },
  ),
);

/** What a client sends to start a job. */
export const newJob = shape.named(
  'new_job',
  object(
    {
      job: shape.says(
        shape.anyObject,
        'Its `jsonmodel_type` names the type, the rest are its parameters: GET /job_types.',
      ),
    },
    { jsonmodel_type: shape.oneOf('job'), job_type: text, job_params: shape.says(text, 'JSON text.') },
  ),
);

/** A record that a job made or changed. */
export const jobRecord = shape.named('job_record', object({ record: refOf() }));
