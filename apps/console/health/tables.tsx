// What the view of health lists: slow requests, webhooks, the audit log.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsIn, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { Fault, useAsked } from '../asking.tsx';
import { words } from '../labels.ts';
import { Pager } from '../pager.tsx';
import { Table } from '../table.tsx';
import { number, time } from '../words.ts';
import { Deliveries } from './deliveries.tsx';
import { Line } from './figures.tsx';
import { say } from './words.ts';

const pageSize = 20;

const figure = (value: Json | undefined, unit: string): JSX.Element => (
  <span class="figure">{typeof value === 'number' ? `${number(value)}${unit}` : '–'}</span>
);

/** The slowest routes of the process. */
export const Slowest = ({ routes }: { readonly routes: readonly JsonObject[] }): JSX.Element => (
  <Table
    title={say('slowest')}
    columns={[say('route'), say('count'), say('mean'), say('longest'), say('by_minute')]}
    rows={routes.map((route) => [
      <code key="route">{`${textOf(route, 'method') ?? ''} ${textOf(route, 'route') ?? ''}`}</code>,
      figure(route['requests'], ''),
      figure(route['mean_ms'], ' ms'),
      figure(route['longest_ms'], ' ms'),
      <Minutes key="minutes" route={route} />,
    ])}
  />
);

/** The webhooks, each with how many deliveries wait and were given up, and with its deliveries one by one. */
export function Webhooks(): JSX.Element {
  const { value, fault, again } = useAsked('/webhooks');
  const hooks = objectsIn(value);
  if (fault !== null) return <Fault fault={fault} again={again} />;
  if (value !== undefined && hooks.length === 0) return <p class="empty">{say('no_webhooks')}</p>;
  return (
    <>
      <Table
        title={say('webhooks')}
        columns={[say('address'), say('waiting'), say('dead')]}
        rows={hooks.map((hook) => [
          <bdi key="url">{textOf(hook, 'url') ?? ''}</bdi>,
          <Total key="waiting" uri={textOf(hook, 'uri') ?? ''} status="pending" />,
          <Total key="dead" uri={textOf(hook, 'uri') ?? ''} status="dead" />,
        ])}
      />
      {hooks.map((hook) => (
        <Deliveries key={textOf(hook, 'uri')} hook={hook} />
      ))}
    </>
  );
}

/** The mean of a route, minute by minute. A minute by itself is drawn as one with its neighbours. */
function Minutes({ route }: { readonly route: JsonObject }): JSX.Element {
  const all = route['minutes_ms'];
  const values: readonly unknown[] = Array.isArray(all) ? all : [];
  const known = values.filter((value) => typeof value === 'number');
  if (known.length === 0) return <>–</>;
  const most = `${number(Math.round(Math.max(...known)))} ms`;
  // Nobody asked in between: what it took then is nothing.
  return (
    <Line
      values={values.map((value) => value ?? 0)}
      label={say('route_picture', { route: textOf(route, 'route') ?? '', most })}
    />
  );
}

function Total({ uri, status }: { readonly uri: string; readonly status: string }): JSX.Element {
  const { value } = useAsked(`${uri}/deliveries`, { page: 1, page_size: 1, status });
  return figure(isObject(value) ? value['total'] : undefined, '');
}

/** The audit log, newest first, page by page. */
export function Audit(): JSX.Element {
  const [page, setPage] = useState(1);
  const { value, fault, again } = useAsked('/system/audit', { page, page_size: pageSize });
  if (fault !== null) return <Fault fault={fault} again={again} />;
  const entries = isObject(value) ? objectsOf(value, 'results') : [];
  const last = isObject(value) ? Number(value['last_page'] ?? 1) : 1;
  return (
    <>
      <Table
        title={say('audit')}
        columns={[say('when'), say('what'), say('who'), say('to'), say('from')]}
        rows={entries.map((entry) => [
          time(textOf(entry, 'at')),
          words(textOf(entry, 'event') ?? ''),
          <bdi key="who">{textOf(entry, 'actor') ?? say('nobody')}</bdi>,
          <bdi key="to">{textOf(entry, 'subject') ?? '–'}</bdi>,
          textOf(entry, 'address') ?? '–',
        ])}
      />
      <Pager label={say('audit')} page={page} last={last} onTurn={setPage} />
    </>
  );
}
