// What the typed calls send and give; that the types are those of the service is shown by entry.test.ts.
import { expect, it } from 'vitest';
import { createClient } from '#client/client.ts';
import { ServiceError } from '#client/errors.ts';
import { standIn } from './stand-in.ts';

type Thing = { readonly id: number };
type Json<T> = { headers: { [name: string]: unknown }; content: { 'application/json': T } };
type Operation<T, Path, Query> = {
  parameters: { query?: Query; header?: never; path: Path; cookie?: never };
  responses: { 200: Json<T>; 400: Json<{ error: string }> };
};
type Listing = { this_page: number; last_page: number; total: number; results: Thing[] } | number[] | Thing[];
/** What openapi-typescript writes of a document with one list and one record. */
type Paths = {
  '/rooms/{room}/things': {
    get: Operation<Listing, { room: number }, { page?: number; page_size?: number; q?: string }>;
  };
  '/things/{id}': {
    get: Operation<Thing, { id: number }, never>;
    delete: Operation<{ status: string }, { id: number }, never>;
  };
};

it('fills paths, walks lists to their end, and throws what was refused', async () => {
  await using server = await standIn(({ call }) => {
    const url = new URL(call.replace(/^\w+ /, ''), 'http://stand.in');
    const page = Number(url.searchParams.get('page'));
    const ids = url.searchParams.get('id_set');
    if (url.pathname === '/things/9') return { status: 400, json: { error: 'no' } };
    if (url.pathname.startsWith('/things')) return { json: { id: 4 } };
    if (ids !== null) return { json: ids.split(',').map((id) => ({ id: Number(id) })) };
    if (url.searchParams.has('all_ids')) return { json: [5, 6, 7] };
    return { json: { this_page: page, last_page: 2, total: 2, results: [{ id: page }] } };
  });
  const client = createClient<Paths>({ url: server.url, session: 's' });
  const thing: Thing = await client.get('/things/{id}', { params: { path: { id: 4 } } });
  const refused = await client.delete('/things/{id}', { params: { path: { id: 9 } } }).catch((error: unknown) => error);
  const inRoom = { params: { path: { room: 1 }, query: { q: 'a b' } } };
  const items: Thing[] = await Array.fromAsync(client.items('/rooms/{room}/things', inRoom));
  const sets: Thing[][] = await Array.fromAsync(client.idSets('/rooms/{room}/things', { ...inRoom, size: 2 }));
  expect([thing, items, sets]).toEqual([{ id: 4 }, [{ id: 1 }, { id: 2 }], [[{ id: 5 }, { id: 6 }], [{ id: 7 }]]]);
  expect(refused).toBeInstanceOf(ServiceError);
  expect(server.asked.map(({ call, session }) => `${session} ${call}`)).toEqual([
    's GET /things/4',
    's DELETE /things/9',
    's GET /rooms/1/things?q=a%20b&page_size=250&page=1',
    's GET /rooms/1/things?q=a%20b&page_size=250&page=2',
    's GET /rooms/1/things?q=a%20b&all_ids=true',
    's GET /rooms/1/things?q=a%20b&id_set=5%2C6',
    's GET /rooms/1/things?q=a%20b&id_set=7',
  ]);
});
