// Replies of handlers: what is JSON, texts in pieces, pages whose rows come one by one.
import { text as textOf } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import {
  createdReply,
  deletedReply,
  suppressedReply,
  touchedReply,
  updatedReply,
} from '../../../../apps/api/reply/envelopes.ts';
import {
  isReply,
  json,
  jsonPage,
  jsonPieces,
  jsonStream,
  redirect,
  stream,
  text,
} from '../../../../apps/api/reply/reply.ts';

it('are told from JSON that looks like them', () => {
  expect([json({}), text('x'), redirect(302, '/x')].map(isReply)).toEqual([true, true, true]);
  expect(
    [{ form: 'json', value: 1, status: 200, headers: {} }, null, 'text', [1]].map((value) => isReply(value)),
  ).toEqual([...[false, false, false, false]]);
});

it('have 200 and no headers where nothing else is said', async () => {
  expect(json({ a: 1 })).toMatchObject({ form: 'json', value: { a: 1 }, status: 200, headers: {} });
  expect(json(1, 202, { a: 'b' })).toMatchObject({ value: 1, status: 202, headers: { a: 'b' } });
  expect(text('x')).toMatchObject({ form: 'text', text: 'x', contentType: 'text/plain; charset=utf-8', status: 200 });
  expect(redirect(303, '/x')).toMatchObject({ form: 'redirect', location: '/x', status: 303, headers: {} });
  const streamed = jsonStream(['{', '}']);
  expect(streamed).toMatchObject({ form: 'stream', contentType: 'application/json', status: 200, headers: {} });
  if ('stream' in streamed) {
    expect(await textOf(streamed.stream)).toBe('{}\n');
    expect(stream(streamed.stream, 'a/b', { c: 'd' })).toMatchObject({ contentType: 'a/b', headers: { c: 'd' } });
  }
});

it('in pieces are one text of usual length, and a stream beyond it, with nothing lost', async () => {
  expect(jsonPieces(['1,', '2'].values(), '[', ']')).toMatchObject({ form: 'json_text', text: '[1,2]' });
  const piece = 'x'.repeat(1_000_000);
  expect(jsonPieces([piece, piece, piece, piece].values())).toMatchObject({ form: 'json_text', text: piece.repeat(4) });
  const long = jsonPieces([piece, piece, piece, piece, 'y', 'z'].values(), '[', ']');
  expect('stream' in long && (await textOf(long.stream))).toBe(`[${piece.repeat(4)}yz]\n`);
});

it('of a page have its rows in their place', () => {
  const page = { first_page: 1, results: [], after: 2 };
  expect(jsonPage(page, ['[{"a":1}', ',{"a":2}]'].values())).toMatchObject({
    form: 'json_text',
    text: '{"first_page":1,"results":[{"a":1},{"a":2}],"after":2}',
  });
});

it('to writes are envelopes in the order of the interface', () => {
  const written = { id: 7, lockVersion: 3, uri: '/subjects/7', warnings: {} } as Parameters<typeof createdReply>[1];
  const warned = { ...written, warnings: { title: ['is odd'] } };
  const text = (reply: object): string => JSON.stringify(reply);
  const [subject, agent] = [kindNamed('subject'), kindNamed('agent_person')];
  expect([
    text(createdReply(subject, written)),
    text(updatedReply(agent, warned)),
    text(touchedReply(7, 3)),
    text(deletedReply(7)),
    text(suppressedReply(7, false)),
  ]).toEqual([
    `{"status":"Created","id":7,"lock_version":3,"stale":${subject.stale ? 'true' : 'null'},"uri":"/subjects/7","warnings":[]}`,
    `{"status":"Updated","id":7,"lock_version":3,"stale":${agent.stale ? 'true' : 'null'},"uri":"/subjects/7","warnings":{"title":["is odd"]}}`,
    '{"status":"Updated","id":7,"lock_version":3,"stale":null}',
    '{"status":"Deleted","id":7}',
    '{"status":"Suppressed","id":7,"suppressed_state":false}',
  ]);
});
