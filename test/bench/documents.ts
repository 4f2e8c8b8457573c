// What making search documents of components costs a thread of the indexer, without the database: processor time, against that of reading and
// writing the same records as JSON. The components are those of the benchmark of the index (search.ts); a tenth is for the public too.
import { makeDocuments } from '#domain/search/documents/material.ts';
import type { Material } from '#domain/search/documents/material.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, rounded } from './bench.ts';
import { componentOf } from './components.ts';

const batchSize = 1000;
const batches = Number(process.env['BENCH_BATCHES'] ?? 20);
const rounds = 3;

/** Measures; some half a minute. The first round of each is not counted: a thread of a worker has made documents before. */
export async function run(): Promise<readonly BenchRow[]> {
  const materials = Array.from({ length: batches }, (_, at) => materialFrom(at * batchSize + 1));
  const [made, copied]: [number[], number[]] = [[], []];
  // Turn about, so that whatever else the machine does meets both alike.
  for (let round = 0; round <= rounds; round++) {
    const making = costOf(() => materials.forEach(makeDocuments));
    const copying = costOf(() =>
      materials.forEach(({ records }) => records.forEach(({ text }) => JSON.stringify(JSON.parse(text)))),
    );
    if (round === 0) continue;
    made.push(making);
    copied.push(copying);
  }
  const [value, baseline] = [medianOf(made), medianOf(copied)];
  return [
    {
      name: `making the documents of a component, against reading and writing it as JSON`,
      value: rounded(value),
      unit: 'µs of the processor',
      baseline: rounded(baseline),
      ratio: rounded(value / baseline),
    },
  ];
}

/** Microseconds of the processor that work takes for each record, those of collecting memory beside it among them. */
function costOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (batches * batchSize);
}

const resource = { ref: '/repositories/2/resources/1' };
const audit = {
  created_by: 'admin',
  last_modified_by: 'admin',
  create_time: '2026-11-24T01:02:03Z',
  system_mtime: '2026-11-24T01:02:03Z',
  user_mtime: '2026-11-24T01:02:03Z',
};

/** A batch of components as the indexer reads it. */
function materialFrom(first: number): Material {
  const numbers = Array.from({ length: batchSize }, (_, at) => first + at);
  const heading = (uri: string, kind: string, title: string): readonly [string, string] => [
    uri,
    JSON.stringify({ jsonmodel_type: kind, uri, title, display_name: { sort_name: title }, publish: true, ...audit }),
  ];
  return {
    records: numbers.map((n) => ({
      kind: 'archival_object',
      isNew: true,
      text: JSON.stringify({
        ...componentOf(n),
        uri: `/repositories/2/archival_objects/${n}`,
        publish: n % 10 === 0,
        display_string: String(componentOf(n)['title']),
        resource,
        ancestors: [{ ...resource, level: 'collection' }],
        has_unpublished_ancestor: false,
        suppressed: false,
        repository: { ref: '/repositories/2' },
        ...audit,
      }),
    })),
    targets: [
      ...Array.from({ length: 200 }, (_, at) => heading(`/subjects/${at + 1}`, 'subject', `Topic ${at + 1}`)),
      ...Array.from({ length: 300 }, (_, at) =>
        heading(`/agents/people/${at + 1}`, 'agent_person', `Person, ${at + 1}`),
      ),
      ...Array.from({ length: 1000 }, (_, at) =>
        heading(`/repositories/2/top_containers/${at + 1}`, 'top_container', `Box ${at + 1}`),
      ),
    ],
    labels: [[resource.ref, ['Papers']]],
    used: [],
    repositories: [[2, 'Repository', true]],
  };
}

if (import.meta.main) console.table(await run());
