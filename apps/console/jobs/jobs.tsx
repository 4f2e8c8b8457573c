// The jobs of a repository: those that run and wait, asked for anew while there are some, and those that have ended.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsIn, objectsOf, textOf, textsOf } from '../../../libs/domain/json.ts';
import { query, withQuery } from '../address.ts';
import { Fault, Instead, Waiting, useAsked } from '../asking.tsx';
import { words } from '../labels.ts';
import { NoRepository } from '../no-repository.tsx';
import { RepositoryChoice } from '../repository-choice.tsx';
import { chosenRepository, readRepositories, repositories } from '../repositories.ts';
import { useTitle } from '../title.ts';
import { t, time } from '../words.ts';
import { may } from '../session.ts';
import { loadTypes, useJobsOfNoRepository } from './of-no-repository.ts';
import { Progress } from './progress.tsx';
import { Reindexing } from './reindexing.tsx';
import { Schedules } from './schedules.tsx';
import { Status } from './status.tsx';
import { mayStart } from './may-run.ts';
import { j } from './words.ts';

const pageSize = 20;
const pauseMs = 2000;

/** The view of the jobs. */
export function JobsView(): JSX.Element {
  const [fault, setFault] = useState<unknown>(null);
  const start = (): void => {
    setFault(null);
    readRepositories().catch(setFault);
  };
  useEffect(start, []);
  useTitle(t('nav_jobs'));
  if (fault !== null || repositories.value === undefined)
    return <Instead title={t('nav_jobs')} fault={fault} again={start} />;
  const repository = chosenRepository(true);
  return (
    <>
      <div class="head">
        <h1>{t('nav_jobs')}</h1>
        <RepositoryChoice chosen={repository} all={false} />
      </div>
      {repository === null ? <NoRepository /> : <Jobs key={repository} repository={repository} />}
      <OfAll />
      <Reindexing />
      {may('administer_system', null) && <Schedules />}
    </>
  );
}

function Jobs({ repository }: { readonly repository: string }): JSX.Element {
  const page = Math.max(1, Number(query.value.get('page')) || 1);
  const active = useAsked(`${repository}/jobs/active`);
  const ended = useAsked(`${repository}/jobs/archived`, { page, page_size: pageSize });
  const running = objectsIn(active.value);
  const key = running.map((job) => textOf(job, 'uri')).join(' ');
  useEffect(() => {
    if (running.length === 0) return undefined;
    const timer = setTimeout(active.again, pauseMs);
    return () => clearTimeout(timer);
  }, [active.value]);
  // What is no longer among the active ones has ended.
  useEffect(() => {
    if (active.value !== undefined) ended.again();
  }, [key]);
  const last = isObject(ended.value) ? Number(ended.value['last_page'] ?? 1) : 1;
  const done = isObject(ended.value) ? objectsOf(ended.value, 'results') : [];
  return (
    <>
      {active.fault !== null && <Fault fault={active.fault} again={active.again} />}
      {running.length > 0 && <Table title={t('jobs_active')} jobs={running} />}
      {ended.fault !== null && <Fault fault={ended.fault} again={ended.again} />}
      {ended.value === undefined && ended.isWaiting && <Waiting />}
      {done.length > 0 && <Table title={t('jobs_ended')} jobs={done} />}
      {ended.value !== undefined && active.value !== undefined && running.length + done.length === 0 && (
        <p class="empty">
          {t('no_jobs')} {mayStart('import_job', repository) && <a href="/console/import">{t('nav_import')}</a>}
        </p>
      )}
      {last > 1 && (
        <nav class="pages" aria-label={t('pages')}>
          {page > 1 && (
            <a rel="prev" href={toPage(page - 1)}>
              {t('previous')}
            </a>
          )}
          <span>{t('page_of', { page, last })}</span>
          {page < last && (
            <a rel="next" href={toPage(page + 1)}>
              {t('next')}
            </a>
          )}
        </nav>
      )}
    </>
  );
}

/** Those of no repository that are not shown elsewhere: merges, the deletion of a repository. Loads are where one moves in. */
function OfAll(): JSX.Element | null {
  const { jobs = [] } = useJobsOfNoRepository((type) => !shownElsewhere.has(type));
  if (jobs.length === 0) return null;
  return <Table title={j('of_all')} jobs={jobs.slice(0, pageSize)} />;
}

const shownElsewhere = new Set(['reindex', ...loadTypes]);

function toPage(page: number): string {
  const address = withQuery({});
  return `${address}${address.includes('?') ? '&' : '?'}page=${page}`;
}

function Table({ title, jobs }: { readonly title: string; readonly jobs: readonly JsonObject[] }): JSX.Element {
  return (
    <div class="wide" role="region" aria-label={title} tabIndex={0}>
      <table class="jobs">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('job')}</th>
            <th scope="col">{t('p_status')}</th>
            <th scope="col">{t('job_owner')}</th>
            <th scope="col">{t('job_submitted')}</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={textOf(job, 'uri')}>
              <th scope="row">
                <a href={`/console/job${textOf(job, 'uri') ?? ''}`}>{jobName(job)}</a>
              </th>
              <td>
                <Status status={textOf(job, 'status') ?? ''} />
                <Progress progress={objectOf(job, 'progress')} />
              </td>
              <td>
                <bdi>{textOf(job, 'owner') ?? '–'}</bdi>
              </td>
              <td>{time(textOf(job, 'time_submitted'))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// More names than these say less, and fill the screen.
const mostNames = 2;

const namesOf = (names: readonly string[]): string =>
  names.length <= mostNames
    ? names.join(', ')
    : j('and_more', { first: names.slice(0, mostNames).join(', '), count: names.length - mostNames });

/** What a job is called: its type, and the files that it was given or the report that it makes. */
export function jobName(job: JsonObject): string {
  const asked = objectOf(job, 'job');
  const about = textOf(asked, 'report_type') ?? namesOf(textsOf(asked, 'filenames'));
  // Jobs that the service makes by itself are called as load-records.
  const type = words((textOf(job, 'job_type') ?? '').replaceAll('-', '_'));
  return about === '' ? type : `${type}: ${about}`;
}
