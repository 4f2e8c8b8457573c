// Suppressing over HTTP, and showing again: what it reaches, what it takes along, and who sees what then. Contract: behaviour-records.md, section 5.2.
import { describe, expect, it } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { idOf } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records, read } = await serveRecords();
const viewer = await api.userWith(
  ['view_repository', 'update_resource_record', 'update_accession_record', 'update_event_record'],
  records.repoId,
);
const manager = await api.userWith(
  ['view_repository', 'suppress_archival_record', 'manage_repository'],
  records.repoId,
);
const suppress = async (uri: string, state: boolean, session?: string): Promise<any> => {
  const reply = await api.ask(`${uri}/suppressed?suppressed=${state}`, {
    method: 'POST',
    ...(session === undefined ? {} : { session }),
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};

describe('suppressed', () => {
  it('hides a record from those who may not see it, refuses its update, and shows it again', async () => {
    const accession = await records.make('accession');
    const body = await read(accession);
    expect(await suppress(accession, true)).toEqual({
      status: 'Suppressed',
      id: idOf(accession),
      suppressed_state: true,
    });
    expect((await api.get(accession, viewer)).json).toEqual({ error: 'Accession not found' });
    expect(await read(`/repositories/${records.repoId}/accessions?all_ids=true`, viewer)).not.toContain(
      idOf(accession),
    );
    expect(await read(accession)).toMatchObject({ suppressed: true, lock_version: 0, user_mtime: body.user_mtime });
    expect((await api.post(accession, body)).json).toEqual({
      error: "Can't update an object that has been suppressed",
    });
    // Whoever may suppress finds it here, and here alone.
    expect((await api.get(accession, manager)).status).toBe(404);
    expect(await suppress(accession, false, manager)).toEqual({
      status: 'Suppressed',
      id: idOf(accession),
      suppressed_state: false,
    });
    expect((await api.get(accession, viewer)).status).toBe(200);
  });

  it('is not there for any write of those who may not see it', async () => {
    const writer = await api.userWith(
      ['view_repository', 'update_resource_record', 'delete_archival_record', 'merge_archival_record'],
      records.repoId,
    );
    const resource = await records.make('resource');
    const node = await records.make('archival_object', { resource: { ref: resource } });
    const hidden = await records.make('archival_object', { resource: { ref: resource } });
    const secret = await records.make('resource');
    await suppress(hidden, true);
    await suppress(secret, true);
    const [hiddenBody, secretBody] = [await read(hidden), await read(secret)];
    const repo = `/repositories/${records.repoId}`;
    const component = { title: 'New', level: 'file', resource: { ref: resource } };
    const children = { jsonmodel_type: 'archival_record_children', children: [component] };
    const refused: readonly (readonly [uri: string, error: unknown, body?: object])[] = [
      [hidden, 'ArchivalObject not found', { ...hiddenBody, title: 'Changed', lock_version: 99 }],
      [`${hidden}/parent?position=0`, 'ArchivalObject not found'],
      [`${resource}/accept_children?position=0&children[]=${node}&children[]=${hidden}`, 'ArchivalObject not found'],
      [`${secret}/accept_children?position=0`, 'Resource not found'],
      [`${hidden}/children`, 'ArchivalObject not found', children],
      [`${secret}/children`, 'Resource not found', children],
      [`${hidden}/publish`, 'ArchivalObject not found'],
      [`${secret}/unpublish`, 'Resource not found'],
      [`${secret}/transfer?target_repo=${repo}`, 'Resource not found'],
      [
        `/merge_requests/resource?repo_id=${records.repoId}`,
        'Resource not found',
        {
          jsonmodel_type: 'merge_request',
          merge_destination: { ref: resource },
          merge_candidates: [{ ref: secret }],
        },
      ],
      [
        `${repo}/component_transfers?target_resource=${resource}&component=${hidden}`,
        'That which does not exist cannot be moved.',
      ],
      [
        `${repo}/component_transfers?target_resource=${secret}&component=${node}`,
        `Can't relate to non-existent record: ${secret}`,
      ],
    ];
    for (const [uri, error, body] of refused) expect((await api.post(uri, body, writer)).json, uri).toEqual({ error });
    for (const uri of [hidden, secret])
      expect((await api.ask(uri, { method: 'DELETE', session: writer })).status, uri).toBe(404);
    expect((await api.get(`${hidden}/previous`, writer)).status).toBe(404);
    expect((await api.get(`${hidden}/children`, writer)).status).toBe(404);
    expect([await read(hidden), await read(secret)]).toEqual([hiddenBody, secretBody]);
  });

  it('is passed over on the way back through siblings by those who may not see it', async () => {
    const resource = await records.make('resource');
    const child = (parent?: string): Promise<string> =>
      records.make('archival_object', {
        resource: { ref: resource },
        ...(parent === undefined ? {} : { parent: { ref: parent } }),
      });
    const hiddenFirst = await child();
    const parent = await child();
    const [shown, hidden, last] = [await child(parent), await child(parent), await child(parent)];
    await suppress(hiddenFirst, true);
    await suppress(hidden, true);
    const previous = async (uri: string, session?: string): Promise<unknown> => {
      const { json } = await api.get(`${uri}/previous`, session);
      return json.uri ?? json.error;
    };
    expect([await previous(last), await previous(last, viewer)]).toEqual([hidden, shown]);
    expect([await previous(parent), await previous(parent, viewer)]).toEqual([hiddenFirst, 'No previous node']);
    await suppress(shown, true);
    expect(await previous(last, viewer)).toBe(parent);
  });

  it('is named by bodies of those who may not see it, as by any, and tells them nothing', async () => {
    const writer = await api.userWith(['view_repository', 'update_resource_record'], records.repoId);
    const secret = await records.make('resource', { title: 'Kept secret' });
    await suppress(secret, true);
    const path = `/repositories/${records.repoId}/archival_objects`;
    const below = { title: 'Below', level: 'file', resource: { ref: secret } };
    const made = await api.post(path, below, writer);
    expect(made.status).toBe(200);
    const shown = await api.get(`${made.json.uri}?resolve[]=resource&resolve[]=ancestors`, writer);
    expect([shown.status, shown.json.resource]).toEqual([200, { ref: secret }]);
    expect(shown.text).not.toContain('Kept secret');
  });

  it('reaches everything below, in either direction', async () => {
    const resource = await records.make('resource', { publish: true });
    const node = { publish: true, resource: { ref: resource } };
    const top = await records.make('archival_object', node);
    const leaf = await records.make('archival_object', { ...node, parent: { ref: top } });
    await suppress(leaf, true);
    await suppress(top, true);
    expect((await read(leaf)).has_unpublished_ancestor).toBe(true);
    await suppress(resource, false);
    expect([
      (await read(top)).suppressed,
      (await read(leaf)).suppressed,
      (await read(leaf)).has_unpublished_ancestor,
    ]).toEqual([false, false, false]);
    await suppress(resource, true);
    expect([(await read(top)).suppressed, (await read(leaf)).suppressed]).toEqual([true, true]);
    expect(await checkTrees(api.database.reader, [{ code: 1, node: 'archival_object', root: 'resource' }])).toEqual([]);
  });

  it('hides links to it, of both kinds, and links made later', async () => {
    const object = await records.make('digital_object');
    const other = await records.make('accession');
    const instance = { instance_type: 'digital_object', digital_object: { ref: object } };
    const holder = await records.make('accession', {
      instances: [instance],
      related_accessions: [
        { jsonmodel_type: 'accession_parts_relationship', ref: other, relator: 'forms_part_of', relator_type: 'part' },
      ],
    });
    await suppress(object, true);
    await suppress(other, true);
    const later = await records.make('accession', { instances: [instance] });
    for (const uri of [holder, later]) {
      expect((await read(uri, viewer)).instances).toEqual([]);
      expect((await read(uri)).instances).toHaveLength(1);
    }
    expect((await read(holder, viewer)).related_accessions).toEqual([]);
    expect((await read(holder)).related_accessions).toHaveLength(1);
    expect((await read(`${holder}?resolve[]=related_accessions`)).related_accessions[0]._resolved.uri).toBe(other);
    await suppress(object, false);
    await suppress(other, false);
    expect([
      (await read(holder, viewer)).instances.length,
      (await read(later, viewer)).instances.length,
      (await read(holder, viewer)).related_accessions.length,
    ]).toEqual([1, 1, 1]);
  });

  it('keeps hidden links where somebody saves who is not shown them', async () => {
    const [object, other, seen] = [
      await records.make('digital_object'),
      await records.make('accession'),
      await records.make('accession'),
    ];
    const related = (ref: string) => ({
      jsonmodel_type: 'accession_parts_relationship',
      ref,
      relator: 'forms_part_of',
      relator_type: 'part',
    });
    const holder = await records.make('accession', {
      instances: [{ instance_type: 'digital_object', digital_object: { ref: object } }],
      related_accessions: [related(other), related(seen)],
    });
    await suppress(object, true);
    await suppress(other, true);
    const shown = await read(holder, viewer);
    expect((await api.post(holder, { ...shown, title: 'Saved blindly' }, viewer)).status).toBe(200);
    const whole = await read(holder);
    expect([
      whole.title,
      whole.instances[0].digital_object.ref,
      whole.related_accessions.map((link: { ref: string }) => link.ref).sort(),
    ]).toEqual(['Saved blindly', object, [other, seen].sort()]);
    expect(await checkDatabase(api.database)).toEqual([]);
  });

  it('takes along the events that speak of nothing else', async () => {
    const [one, two] = [await records.make('accession'), await records.make('accession')];
    const ofBoth = await records.make('event', {
      linked_records: [
        { ref: one, role: 'source' },
        { ref: two, role: 'source' },
      ],
    });
    const ofOne = await records.make('event', { linked_records: [{ ref: one, role: 'source' }] });
    await suppress(one, true);
    expect([(await read(ofBoth)).suppressed, (await read(ofOne)).suppressed]).toEqual([false, true]);
    await suppress(two, true);
    expect((await read(ofBoth)).suppressed).toBe(true);
    await suppress(one, false);
    expect([(await read(ofBoth)).suppressed, (await read(ofOne)).suppressed]).toEqual([false, false]);
    expect((await read(one, viewer)).linked_events).toHaveLength(2);
    await suppress(ofOne, true);
    expect((await read(one, viewer)).linked_events).toEqual([{ ref: ofBoth }]);
  });

  it('is out of search at once, and comes back', async () => {
    const accession = await records.make('accession', { title: 'Quagga ledger' });
    const search = async (session: string): Promise<number> =>
      (await read(`/repositories/${records.repoId}/search?page=1&q=quagga`, session)).total_hits;
    await expect.poll(() => search(viewer)).toBe(1);
    await suppress(accession, true);
    expect(await search(viewer)).toBe(0);
    await suppress(accession, false);
    await expect.poll(() => search(viewer)).toBe(1);
  });

  it('is nothing that classifications and their terms know', async () => {
    const term = await records.make('classification_term');
    const classification = (await read(term)).classification.ref;
    for (const uri of [term, classification]) {
      expect((await api.ask(`${uri}/suppressed?suppressed=true`, { method: 'POST' })).status).toBe(404);
      expect(await read(uri)).not.toHaveProperty('suppressed');
    }
    expect(await read(`${classification}/tree/root`)).toMatchObject({
      suppressed: 0,
      precomputed_waypoints: { '': { 0: [{ uri: term, suppressed: 0 }] } },
    });
  });

  it('is refused to others, and unknown records are not found', async () => {
    const accession = await records.make('accession');
    expect((await api.ask(`${accession}/suppressed?suppressed=true`, { method: 'POST', session: viewer })).status).toBe(
      403,
    );
    expect((await api.ask(`${accession}/suppressed`, { method: 'POST' })).json).toEqual({
      error: { suppressed: ['Parameter required but no value provided'] },
    });
    expect(
      (
        await api.ask(`/repositories/${records.repoId}/archival_objects/99999999/suppressed?suppressed=true`, {
          method: 'POST',
        })
      ).json,
    ).toEqual({ error: 'ArchivalObject not found' });
  });
});
