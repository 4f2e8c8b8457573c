// What is around every view: the skip link, the navigation, who is logged in, and the login where nobody is.
import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { path } from './address.ts';
import { Fault, Waiting } from './asking.tsx';
import { Languages } from './languages.tsx';
import { Login, LoginAgain } from './login.tsx';
import { readRepositories } from './repositories.ts';
import { said } from './saying.ts';
import { hasEnded, logOut, may, mayAnywhere, readSession, user } from './session.ts';
import type { View } from './view.ts';
import { useView } from './view.ts';
import type { Word } from './words.ts';
import { isWord, language, t } from './words.ts';

// Views are loaded when they are first opened.
const views: readonly (readonly [beginning: string, title: Word, load: () => Promise<View>])[] = [
  ['/record/', 'nav_find', async () => (await import('./record/record.tsx')).RecordView],
  ['/edit/', 'edit', async () => (await import('./edit/edit.tsx')).EditView],
  ['/new/', 'new_record', async () => (await import('./edit/edit.tsx')).NewView],
  ['/tree/', 'tree', async () => (await import('./tree/tree.tsx')).TreeView],
  ['/jobs', 'nav_jobs', async () => (await import('./jobs/jobs.tsx')).JobsView],
  ['/job/', 'nav_jobs', async () => (await import('./jobs/job.tsx')).JobView],
  ['/health', 'nav_health', async () => (await import('./health/health.tsx')).HealthView],
  ['/people', 'nav_people', async () => (await import('./people/people.tsx')).PeopleView],
  ['/import', 'nav_import', async () => (await import('./import/import.tsx')).ImportView],
  ['/moving-in', 'nav_moving', async () => (await import('./moving-in/moving-in.tsx')).MovingInView],
  ['', 'nav_find', async () => (await import('./finding/search.tsx')).SearchView],
];

const NoView: View = () => (
  <>
    <h1>{t('no_view')}</h1>
    <p>
      {t('no_view_more')} <a href="/console">{t('nav_find')}</a>
    </p>
  </>
);
const noView: (typeof views)[number] = ['no view', 'no_view', async () => NoView];

// The last say whom they are offered to.
const navigation: readonly (readonly [address: string, word: Word, isOffered?: () => boolean])[] = [
  ['/console', 'nav_find'],
  ['/console/jobs', 'nav_jobs'],
  ['/console/import', 'nav_import', () => mayAnywhere('create_job', 'import_records')],
  ['/console/people', 'nav_people', () => mayAnywhere('manage_repository') || mayAnywhere('manage_users')],
  ['/console/health', 'nav_health', () => may('administer_system', null)],
  ['/console/moving-in', 'nav_moving', () => may('administer_system', null)],
];

/** The whole console. */
export function Frame(): JSX.Element {
  const [fault, setFault] = useState<unknown>(null);
  const start = (): void => {
    setFault(null);
    readSession().then(() => {
      // Every view of somebody who is here needs them: they are asked for before the first one is there, which tells of a fault.
      if (user.value) readRepositories().catch(() => undefined);
    }, setFault);
  };
  useLayoutEffect(start, []);
  useSignalEffect(() => {
    document.documentElement.lang = language.value;
  });
  if (fault !== null)
    return (
      <main class="alone">
        <Fault fault={fault} again={start} />
      </main>
    );
  if (user.value === undefined)
    return (
      <main class="alone">
        <Waiting />
      </main>
    );
  if (user.value === null) return <Login />;
  return (
    <>
      <a class="skip" href="#main">
        {t('skip')}
      </a>
      <header>
        <a class="brand" href="/console">
          Muniment
        </a>
        <nav aria-label={t('nav')}>
          {navigation
            .filter(([, , isOffered]) => isOffered?.() ?? true)
            .map(([address, word]) => (
              <a key={address} href={address} {...(isHere(address) ? { 'aria-current': 'page' as const } : {})}>
                {t(word)}
              </a>
            ))}
          <a href="/docs">{t('nav_api')}</a>
        </nav>
        <div class="who">
          <Languages />
          <span class="name">{user.value.username}</span>
          <button type="button" onClick={() => void logOut().catch(setFault)}>
            {t('log_out')}
          </button>
        </div>
      </header>
      <Main />
      <p class="hidden" role="status" id="said">
        {said.value}
      </p>
      {hasEnded.value && <LoginAgain username={user.value.username} />}
    </>
  );
}

const isBelow = (beginning: string): boolean =>
  beginning.endsWith('/')
    ? path.value.startsWith(beginning)
    : path.value === beginning || (beginning !== '' && path.value.startsWith(`${beginning}/`));

function isHere(address: string): boolean {
  const here = `/console${path.value}`;
  if (address === '/console') return here === address || /^\/console\/(record|tree|edit|new)\//.test(here);
  return here.startsWith(address) || (address === '/console/jobs' && here.startsWith('/console/job/'));
}

function Main(): JSX.Element {
  const main = useRef<HTMLElement>(null);
  const before = useRef(path.value);
  const [beginning, title, load] = views.find(([each]) => isBelow(each)) ?? noView;
  const { View, fault, again } = useView(beginning, load);
  useEffect(() => {
    // Whoever reads with the ears hears where they are; the first view leaves the focus where the browser has it.
    if (before.current !== path.value) main.current?.focus({ preventScroll: true });
    before.current = path.value;
  }, [path.value]);
  const rest = path.value.slice(beginning.replace(/\/$/, '').length);
  return (
    <main id="main" tabIndex={-1} ref={main} aria-label={t(isWord(title) ? title : 'nav_find')}>
      {fault !== null ? (
        <>
          <h1 class="hidden">{t(isWord(title) ? title : 'nav_find')}</h1>
          <Fault fault={fault} again={again} />
        </>
      ) : View === null ? (
        <Waiting />
      ) : (
        <View key={beginning === '' ? '' : path.value} rest={rest} />
      )}
    </main>
  );
}
