// A tree as lines of JSON, with each linked record once.
import { expect, test } from 'vitest';
import { ndjsonLines } from '#domain/formats/ndjson/lines.ts';
import type { JsonObject } from '#domain/json.ts';

const profile = { title: 'A4' };
const box = { indicator: '1', container_profile: { ref: '/container_profiles/1', _resolved: profile } };
const other = { indicator: '2', container_profile: { ref: '/container_profiles/1', _resolved: profile } };
const anna = { title: 'Anna', publish: true };
const inBox = (record: JsonObject, ref = '/repositories/2/top_containers/1'): JsonObject => ({
  instances: [{ sub_container: { top_container: { ref, _resolved: record } } }],
});

async function linesOf(records: readonly JsonObject[], repeatsResolved: boolean): Promise<readonly JsonObject[]> {
  async function* blocks(): AsyncGenerator<readonly { readonly depth: number; readonly record: JsonObject }[]> {
    for (const record of records) yield [{ depth: 1, record }];
  }
  const pieces = await Array.fromAsync(
    ndjsonLines({ title: 'root' }, blocks(), { includeUnpublished: true, repeatsResolved }),
  );
  return pieces
    .join('')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line));
}

test('embeds a linked record beside the first ref to it, those inside it too', async () => {
  const records = [inBox(box), inBox(box), inBox(other, '/repositories/2/top_containers/2')];
  expect(await linesOf(records, false)).toEqual([
    inBox(box),
    { instances: [{ sub_container: { top_container: { ref: '/repositories/2/top_containers/1' } } }] },
    inBox({ indicator: '2', container_profile: { ref: '/container_profiles/1' } }, '/repositories/2/top_containers/2'),
  ]);
  // What was read is in other records, too, and stays as it is.
  expect(records[1]).toEqual(inBox(box));
});

test('embeds it again at another place of a record, where less or more of it may be resolved', async () => {
  const link = { ref: '/agents/people/1', role: 'creator', _resolved: anna };
  const [line] = await linesOf([{ linked_agents: [link, link], related_agents: [link] }], false);
  const { _resolved: _, ...bare } = link;
  expect(line).toEqual({ linked_agents: [link, bare], related_agents: [link] });
});

test('embeds it beside each ref where that is asked for', async () => {
  const records = [inBox(box), inBox(box)];
  expect(await linesOf(records, true)).toEqual(records);
});
