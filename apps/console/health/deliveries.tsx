// What was sent to a webhook, and what waits: each delivery with what it tells, its attempts and what came of them.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { Fault, Waiting, useAsked } from '../asking.tsx';
import { typeName } from '../labels.ts';
import { Pager } from '../pager.tsx';
import { Table } from '../table.tsx';
import { number, time } from '../words.ts';
import { say } from './words.ts';

const pageSize = 10;

/** The deliveries of a webhook, asked for when they are opened. */
export function Deliveries({ hook }: { readonly hook: JsonObject }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const url = textOf(hook, 'url') ?? '';
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {say('deliveries')} <bdi>{url}</bdi>
      </summary>
      {isOpen && <List uri={textOf(hook, 'uri') ?? ''} title={`${say('deliveries')} ${url}`} />}
    </details>
  );
}

function List({ uri, title }: { readonly uri: string; readonly title: string }): JSX.Element {
  const [page, setPage] = useState(1);
  const { value, fault, again } = useAsked(`${uri}/deliveries`, { page, page_size: pageSize });
  if (fault !== null) return <Fault fault={fault} again={again} />;
  if (!isObject(value)) return <Waiting />;
  const rows = objectsOf(value, 'results');
  if (rows.length === 0) return <p class="empty">{say('no_deliveries')}</p>;
  return (
    <>
      <Table
        title={title}
        columns={[say('when'), say('told'), say('status'), say('attempts'), say('reply'), say('next_attempt')]}
        rows={rows.map((row) => {
          const next = textOf(row, 'next_attempt');
          return [
            time(textOf(row, 'last_attempt') ?? textOf(row, 'create_time')),
            <Told key="told" payload={objectOf(row, 'payload') ?? {}} />,
            <span key="status" class={`status ${statusOf(row) === 'dead' ? 'failed' : ''}`}>
              {say(statusOf(row))}
            </span>,
            <span key="attempts" class="figure">
              {number(Number(row['attempts'] ?? 0))}
            </span>,
            replyOf(row),
            next === undefined ? '–' : time(next),
          ];
        })}
      />
      <Pager label={title} page={page} last={Number(value['last_page'] ?? 1)} onTurn={setPage} />
    </>
  );
}

const statusOf = (row: JsonObject): 'pending' | 'delivered' | 'dead' => {
  const status = textOf(row, 'status');
  return status === 'delivered' || status === 'dead' ? status : 'pending';
};

/** What the receiver answered, or why it did not. */
function replyOf(row: JsonObject): string {
  const status = row['http_status'];
  return textOf(row, 'reason') ?? (typeof status === 'number' ? String(status) : '–');
}

/** What a delivery tells: a change of records, of which an import has very many, or a ping. */
function Told({ payload }: { readonly payload: JsonObject }): JSX.Element {
  if (textOf(payload, 'type') === 'ping') return <>{say('ping')}</>;
  const operation = textOf(payload, 'operation');
  // A notification tells that something has changed, and is no record to look at.
  const kind = textOf(payload, 'kind') ?? '';
  const [first, ...others] = textsOf(payload, 'uris');
  const what = operation === 'create' || operation === 'update' || operation === 'delete' ? say(operation) : operation;
  return (
    <>
      {typeName(kind)}: {what}
      {first !== undefined && (
        <>
          <br />
          {operation === 'delete' || kind === 'notification' ? first : <a href={recordAddress(first)}>{first}</a>}
          {others.length > 0 && ` ${say('and_others', { count: others.length })}`}
        </>
      )}
    </>
  );
}
