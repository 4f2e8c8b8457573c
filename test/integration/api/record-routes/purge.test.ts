// Erasing histories over HTTP: what goes, what stays, who may, and what the audit log says of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { pruneHistory, purgeHistory } from '#store/records/history/purge.ts';
import { lockWaits } from '#test/support/lock-waits.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { z } from 'zod';

const secret = 'Zwiebelfisch';
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => {
  const faults = (await checkDatabase(api.database)).filter((each: any) => each.count > 0);
  await api[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const person = (primary: string): Promise<string> =>
  api.create('/agents/people', {
    names: [{ primary_name: primary, name_order: 'direct', source: 'local', sort_name_auto_generate: true }],
  });
const rename = async (uri: string, primary: string): Promise<void> => {
  const record = (await api.get(uri)).json;
  const reply = await api.post(uri, {
    ...record,
    names: [{ ...record.names[0], primary_name: primary, sort_name: '' }],
  });
  expect(reply.status, reply.text).toBe(200);
};
const purge = (uri: string, session?: string): Promise<Reply> => api.post(`${uri}/history/purge`, undefined, session);
const history = async (uri: string): Promise<readonly any[]> => (await api.get(`${uri}/history`)).json.results;

/** The tables in which the name still stands, of all that hold texts of records. */
async function tablesWith(name: string): Promise<readonly string[]> {
  const names = await api.database.reader.any(sql.type(z.strictObject({ name: column.text }))`
    SELECT 'revision' AS name FROM revision WHERE body::text LIKE ${`%${name}%`} OR label LIKE ${`%${name}%`}
    UNION SELECT 'merge_gone' FROM merge_gone WHERE body::text LIKE ${`%${name}%`} OR label LIKE ${`%${name}%`}
    UNION SELECT 'merge_body' FROM merge_body WHERE body::text LIKE ${`%${name}%`}
    UNION SELECT 'record' FROM record WHERE body::text LIKE ${`%${name}%`} OR label LIKE ${`%${name}%`}
    UNION SELECT 'search_body' FROM search_body WHERE stored::text LIKE ${`%${name}%`}
    UNION SELECT 'webhook_delivery' FROM webhook_delivery WHERE body LIKE ${`%${name}%`}
    UNION SELECT 'audit_entry' FROM audit_entry WHERE details::text LIKE ${`%${name}%`}
    UNION SELECT 'idempotency_key' FROM idempotency_key WHERE reply LIKE ${`%${name}%`} ORDER BY 1`);
  return names.map((row) => row.name);
}

// The index follows within a second.
const expectNowhere = async (name: string): Promise<void> =>
  expect.poll(() => tablesWith(name), { interval: 100 }).toEqual([]);

describe('POST …/history/purge', () => {
  it('leaves the record as it is, and nothing of what it was', async () => {
    const uri = await person(`${secret} One`);
    await rename(uri, 'Harmless');
    await rename(uri, 'Harmless still');
    expect((await history(uri)).length).toBe(3);
    const before = (await api.get(uri)).json;
    expect((await purge(uri)).json).toMatchObject({ status: 'Purged', revisions: 2, merges: 0 });
    await expectNowhere(`${secret} One`);
    expect((await api.get(uri)).json).toEqual(before);
    expect(await history(uri)).toMatchObject([{ version: 2, op: 'unknown', title: 'Harmless still' }]);
    expect((await api.get(`${uri}/history/0`)).status).toBe(404);
    await rename(uri, 'Saved again');
    expect((await history(uri)).map(({ op }) => op)).toEqual(['update', 'unknown']);
  });

  it('erases a deleted record for good', async () => {
    const uri = await person(`${secret} Two`);
    await api.del(uri);
    expect((await purge(uri)).json).toMatchObject({ revisions: 1 });
    await expectNowhere(`${secret} Two`);
    expect((await api.get(`${uri}/history`)).status).toBe(404);
    expect((await api.post(`${uri}/history/0/restore`)).status).toBe(404);
    expect((await purge(uri)).status).toBe(404);
    expect((await api.get(uri)).status).toBe(404);
  });

  it('erases a deleted record for good, though somebody was bringing it back at that moment', async () => {
    const uri = await person(secret);
    await api.del(uri);
    const [isHeld, mayPurge] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const id = Number(uri.split('/').at(-1));
    // Holds what a purge holds first, so that the version was read before anything is erased.
    const purging = api.database.transaction(async (tx) => {
      await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('undelete agent_person'), ${id})`);
      isHeld.resolve();
      await mayPurge.promise;
      return purgeHistory(tx, kindNamed('agent_person'), id, null);
    });
    await isHeld.promise;
    const restoring = api.post(`${uri}/history/0/restore`);
    await expect.poll(() => lockWaits(api.database)).toBeGreaterThan(0);
    mayPurge.resolve();
    expect((await purging).revisions).toBe(1);
    expect((await restoring).status).toBe(404);
    expect((await api.get(uri)).status).toBe(404);
  });

  it('erases what was merged into it, whose merge then cannot be undone; old addresses lead on', async () => {
    const [uri, gone] = [await person('Stays'), await person(`${secret} Three`)];
    await rename(gone, `${secret} Threefold`);
    const merged = await api.post('/merge_requests/agent', {
      jsonmodel_type: 'merge_request',
      merge_destination: { ref: uri },
      merge_candidates: [{ ref: gone }],
    });
    expect(merged.status, merged.text).toBe(200);
    expect(await tablesWith(`${secret} Three`)).toContain('merge_gone');
    expect((await purge(uri)).json).toMatchObject({ merges: 1 });
    await expectNowhere(`${secret} Three`);
    const merge = /<([^>]+)>/.exec(merged.headers.get('link') ?? '')?.[1] ?? '';
    expect((await api.post(`${merge}/undo`)).status).toBe(409);
    expect((await api.get(merge)).json).toMatchObject({ merge_destination_uri: uri, deleted_uris: [gone] });
    expect((await api.get(gone)).headers.get('link')).toBe(`<${uri}>; rel="successor-version"`);
  });

  it('is told in the audit log: that, and not what', async () => {
    const uri = await person(`${secret} Four`);
    await rename(uri, 'Told');
    await purge(uri);
    const { results } = (await api.get(`/system/audit?event=history_purged&subject=${uri}`)).json;
    expect(results).toMatchObject([{ actor: 'admin', details: { revisions: 1, merges: 0 } }]);
    expect(JSON.stringify(results)).not.toContain(secret);
  });

  it('takes settled deliveries that named it along, and leaves what is still to be sent', async () => {
    const [uri, other] = [await person('Named'), await person('Other')];
    await api.database.transaction((tx) =>
      tx.run(sql`WITH hook AS (INSERT INTO webhook (url, secret, active) VALUES ('http://localhost', 's', false) RETURNING id)
        INSERT INTO webhook_delivery (webhook_id, body, status) SELECT id, json_build_object('uris', json_build_array(u))::text, s FROM hook,
          (VALUES (${uri}, 'delivered'), (${uri}, 'dead'), (${uri}, 'pending'), (${other}, 'delivered')) AS v (u, s)`),
    );
    // Of the many that name others none is parsed: this one could not be.
    await api.database.transaction((tx) =>
      tx.run(sql`INSERT INTO webhook_delivery (webhook_id, body, status)
        SELECT id, ${`{"uris":["${other}"]`}, 'delivered' FROM webhook ORDER BY id DESC LIMIT 1`),
    );
    expect((await purge(uri)).json).toMatchObject({ deliveries: 2 });
    const left = await api.database.reader.any(sql.type(z.strictObject({ status: column.text }))`
      SELECT status FROM webhook_delivery ORDER BY id`);
    expect(left.map(({ status }) => status)).toEqual(['pending', 'delivered', 'delivered']);
  });

  it('needs a permission of its own, and a record that is there, in its repository', async () => {
    const repoId = await api.repository();
    const uri = await api.create(`/repositories/${repoId}/accessions`, { id_0: 'P', accession_date: '2020-01-01' });
    const session = await api.userWith(['manage_repository', 'update_accession_record', 'view_repository'], repoId);
    expect((await purge(uri, session)).status).toBe(403);
    const { username } = (await api.get('/users/current-user', session)).json;
    const officers = { group_code: 'data-protection', description: 'd', grants_permissions: ['purge_history'] };
    expect((await api.post('/repositories/1/groups', { ...officers, member_usernames: [username] })).status).toBe(200);
    expect((await purge(uri, session)).json).toMatchObject({ status: 'Purged', revisions: 0 });
    const elsewhere = uri.replace(`/repositories/${repoId}/`, `/repositories/${await api.repository()}/`);
    expect((await purge(elsewhere)).status).toBe(404);
    expect((await purge('/agents/people/99999')).status).toBe(404);
  });
});

describe('histories by age', () => {
  it('lose what was replaced long ago, and the check of the data knows why', async () => {
    const uri = await person('Aged');
    await rename(uri, 'Aged twice');
    const id = Number(uri.split('/').at(-1));
    await api.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE revision SET at = at - interval '40 days' WHERE kind = 'agent_person' AND id = ${id}`);
      await tx.run(
        sql`UPDATE record SET user_mtime = user_mtime - interval '40 days' WHERE kind = 'agent_person' AND id = ${id}`,
      );
    });
    expect(await pruneHistory(api.database, 0)).toEqual({ revisions: 0, parts: 0 });
    expect(await pruneHistory(api.database, 41)).toEqual({ revisions: 0, parts: 0 });
    expect(await pruneHistory(api.database, 39)).toEqual({ revisions: 1, parts: 0 });
    expect((await history(uri)).map(({ op }) => op)).toEqual(['unknown']);
  });

  it('takes what undoing needs of all merges that are old, however many these are', async () => {
    await api.database.transaction((tx) =>
      tx.run(sql`INSERT INTO merge (id, what, survivor_kind, survivor_id, at)
        SELECT 1000000 + n, 'subject', 'subject', 1, now() - interval '50 days' FROM generate_series(1, 2001) n`),
    );
    await pruneHistory(api.database, 49);
    const { n } = await api.database.reader.one(
      sql.type(NumberRow)`SELECT count(*)::int AS n FROM merge WHERE id > 1000000 AND purged_at IS NULL`,
    );
    expect(n).toBe(0);
  });
});
