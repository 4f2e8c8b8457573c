// Reading for exports: as many statements for many components as for few, and nothing below what is suppressed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { counting } from '#test/support/count-statements.ts';
import { digitalRecords } from '#store/exports/read-record.ts';

let api: TestApi;
let repoId = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
});
afterAll(async () => api[Symbol.asyncDispose]());

const made = (plural: string, body: object) => api.create(`/repositories/${repoId}/${plural}`, body);
const viewer = { seesSuppressed: true, mayView: () => true };

async function objectWith(components: number): Promise<string> {
  const object = await made('digital_objects', { title: 'o', digital_object_id: `o${components}` });
  const agent = (
    await api.post('/agents/people', {
      publish: true,
      names: [{ primary_name: `A${components}`, name_order: 'direct', source: 'local', sort_name_auto_generate: true }],
    })
  ).json.uri;
  let parent: string | null = null;
  for (let number = 1; number <= components; number += 1) {
    parent = await made('digital_object_components', {
      title: `c${number}`,
      publish: true,
      linked_agents: [{ ref: agent, role: 'creator' }],
      digital_object: { ref: object },
      ...(parent === null || number % 3 === 0 ? {} : { parent: { ref: parent } }),
    });
  }
  return object;
}

it('takes as many statements for many components as for few', async () => {
  const counts: number[] = [];
  for (const size of [2, 20]) {
    const object = await objectWith(size);
    await api.database.transaction(async (tx) => {
      const counted = counting(tx);
      const { components } = await digitalRecords(counted.tx, idOf(object), repoId, viewer, { publishedOnly: false });
      expect(
        components.map(({ record }) => [record['title'], JSON.stringify(record).includes('"_resolved"')]),
      ).toHaveLength(size);
      counts.push(counted.count());
    });
  }
  expect(counts[1]).toBe(counts[0]);
  expect(counts[0]).toBeLessThanOrEqual(8);
});

it('leaves out suppressed components with what is below them', async () => {
  const object = await made('digital_objects', { title: 'o', digital_object_id: 'suppressed' });
  const hidden = await made('digital_object_components', { title: 'hidden', digital_object: { ref: object } });
  await made('digital_object_components', { title: 'below', digital_object: { ref: object }, parent: { ref: hidden } });
  await made('digital_object_components', { title: 'shown', digital_object: { ref: object } });
  await api.database.transaction((tx) =>
    tx.run({
      sql: "UPDATE record SET suppressed = true WHERE kind = 'digital_object_component' AND id = $1",
      values: [idOf(hidden)],
    }),
  );
  const { components } = await api.database.transaction((tx) =>
    digitalRecords(tx, idOf(object), repoId, viewer, { publishedOnly: false }),
  );
  expect(components.map(({ record, depth }) => [record['title'], depth])).toEqual([['shown', 1]]);
});
