// How the service is: what the doctor says, the last hour in pictures, what is slow, what runs by the clock, who is told, who did what.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Json } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { Fault, Waiting, awayMs, isAway, useAsked } from '../asking.tsx';
import { Schedules } from '../jobs/schedules.tsx';
import { Section } from '../section.tsx';
import { may, service } from '../session.ts';
import { useTitle } from '../title.ts';
import { number, t } from '../words.ts';
import { Figures } from './figures.tsx';
import { Audit, Slowest, Webhooks } from './tables.tsx';
import { say } from './words.ts';

const pauseMs = 10_000;

/** The view of health. */
export function HealthView(): JSX.Element {
  useTitle(t('nav_health'));
  if (!may('administer_system', null))
    return (
      <>
        <h1>{t('nav_health')}</h1>
        <p class="empty">{say('denied')}</p>
      </>
    );
  return (
    <>
      <h1>{t('nav_health')}</h1>
      <Doctor />
      <LastHour />
      <Schedules />
      <Section id="webhooks" title={say('webhooks')}>
        <Webhooks />
      </Section>
      <Section id="audit" title={say('audit')}>
        <Audit />
      </Section>
      <Section id="log" title={say('log')}>
        <Log />
      </Section>
    </>
  );
}

function Doctor(): JSX.Element {
  const { value, fault, again } = useAsked('/system/doctor');
  const findings = isObject(value) ? objectsOf(value, 'findings') : [];
  return (
    <Section id="findings" title={say('findings')}>
      {fault !== null ? (
        <Fault fault={fault} again={again} />
      ) : value === undefined ? (
        <Waiting />
      ) : (
        <>
          {findings.length === 0 && <p>{say('well')}</p>}
          <ul class="findings">
            {findings.map((each) => {
              const level = levelOf(textOf(each, 'level'));
              return (
                <li key={textOf(each, 'says')} class={`level-${level}`}>
                  <p>
                    <span class="badge">{say(level)}</span> <strong>{textOf(each, 'says')}</strong>
                  </p>
                  <p>{textOf(each, 'advice')}</p>
                </li>
              );
            })}
          </ul>
          <p class="soft">{summary(value)}</p>
        </>
      )}
    </Section>
  );
}

const levelOf = (level: string | undefined): 'problem' | 'warning' | 'notice' =>
  level === 'problem' || level === 'warning' ? level : 'notice';

function summary(diagnosis: Json): string {
  const facts = isObject(diagnosis) ? objectOf(diagnosis, 'facts') : undefined;
  const [server, work] = [objectOf(facts, 'server'), objectOf(facts, 'work')];
  const [size, workers, days] = [server?.['sizeBytes'], work?.['workers'], work?.['backupDays']];
  return say('summary', {
    size: typeof size === 'number' ? `${number(Math.round(size / 1e5) / 10)} MB` : '–',
    workers: typeof workers === 'number' ? workers : '–',
    backup: typeof days === 'number' ? say('days_ago', { count: Math.floor(days) }) : say('no_backup'),
  });
}

function LastHour(): JSX.Element {
  const [value, setValue] = useState<Json | undefined>();
  const [fault, setFault] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The last pictures stay while the service is away, with what is wrong above them.
    const look = (): void => {
      service
        .ask('/system/figures', { signal: stop.signal })
        .then((found) => {
          setValue(found);
          setFault(null);
          timer = setTimeout(look, pauseMs);
        })
        .catch((error: unknown) => {
          if (stop.signal.aborted) return;
          setFault(error);
          if (isAway(error)) timer = setTimeout(look, awayMs);
        });
    };
    look();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [turn]);
  const found = isObject(value) ? value : undefined;
  return (
    <>
      <Section id="hour" title={say('hour')}>
        <p class="hint">{say('hour_more')}</p>
        {fault !== null && <Fault fault={fault} again={() => setTurn(turn + 1)} />}
        {found === undefined ? fault === null && <Waiting /> : <Figures samples={objectsOf(found, 'samples')} />}
      </Section>
      <Section id="slowest" title={say('slowest')}>
        {found !== undefined && <Slowest routes={objectsOf(found, 'slowest')} />}
      </Section>
    </>
  );
}

function Log(): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const read = (): void => {
    setFault(null);
    service
      .send('/system/log')
      .then((reply) => reply.text())
      .then(setText, setFault);
  };
  if (fault !== null) return <Fault fault={fault} again={read} />;
  if (text === null)
    return (
      <div class="buttons">
        <button type="button" onClick={read}>
          {say('show')}
        </button>
      </div>
    );
  return (
    <pre class="log" tabIndex={0} aria-labelledby="log">
      {text}
    </pre>
  );
}
