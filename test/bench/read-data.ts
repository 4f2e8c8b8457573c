// The records that the benchmark of reads asks for: a finding aid whose files stand three levels deep (series, sub-series, file),
// each with notes, an instance, two subjects and an agent, imported over HTTP.
import type { Client } from './processes/client.ts';
import { findingAid } from '../support/make/finding-aid.ts';

/** The paths that are asked, by what they are; `fiveRefs` are archival objects with parameters that resolve five refs each. */
export type ReadPaths = {
  readonly files: readonly string[];
  readonly agents: readonly string[];
  readonly resources: readonly string[];
  readonly containers: readonly string[];
  readonly pages: readonly string[];
  readonly fiveRefs: readonly string[];
};

const seriesSize = 1000;
const subSeriesSize = 50;

/** Imports `count` components (a multiple of 1,000 keeps the shape whole) and gives the paths of `asked` of each sort. */
export async function importReadData(client: Client, count: number, asked: number): Promise<ReadPaths> {
  const repository = await client.post('/repositories', { repo_code: 'read', name: 'Repository of the benchmark' });
  const repoId = Number(repository['id']);
  const saved = await client.importBatch(repoId, bytesOf(repoId, count));
  const uris = Object.values(saved).map(([uri]) => uri);
  const spread = (wanted: (temporary: string) => boolean): readonly string[] => {
    const all = Object.entries(saved)
      .filter(([temporary]) => wanted(temporary))
      .map(([, [uri]]) => uri);
    return Array.from(
      { length: Math.min(asked, all.length) },
      (_, n) => all[Math.floor((n * all.length) / asked)] ?? '',
    );
  };
  const number = (temporary: string): number => Number(/import_be(\d+)$/.exec(temporary)?.[1]);
  const files = spread(
    (temporary) => temporary.includes('/archival_objects/') && number(temporary) % subSeriesSize > 0,
  );
  const five = ['resource', 'subjects', 'linked_agents', 'top_container', 'parent', 'repository']
    .map((name) => `resolve[]=${name}`)
    .join('&');
  return {
    files,
    agents: spread((temporary) => temporary.startsWith('/agents/people/')),
    resources: uris.filter((uri) => uri.includes('/resources/')),
    containers: spread((temporary) => temporary.includes('/top_containers/')),
    pages: Array.from(
      { length: Math.min(asked, Math.floor(count / 25)) },
      (_, n) => `/repositories/${repoId}/archival_objects?page=${n + 1}&page_size=25`,
    ),
    fiveRefs: files.map((uri) => `${uri}?${five}`),
  };
}

/** The records as the bytes of one JSON array, with a level of sub-series put between series and files. */
async function* bytesOf(repoId: number, count: number): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  const componentUri = (n: number): string => `/repositories/${repoId}/archival_objects/import_be${n}`;
  for (const record of findingAid(repoId, 'read', count)) {
    const n = record['jsonmodel_type'] === 'archival_object' ? Number(/(\d+)$/.exec(String(record['uri']))?.[1]) : 0;
    const place =
      n % seriesSize === 0
        ? {}
        : n % subSeriesSize === 0
          ? { level: 'subseries', position: (n % seriesSize) / subSeriesSize - 1 }
          : n % seriesSize < subSeriesSize
            ? { position: (n % seriesSize) + seriesSize / subSeriesSize }
            : { parent: { ref: componentUri(n - (n % subSeriesSize)) }, position: (n % subSeriesSize) - 1 };
    yield Buffer.from(`${isFirst ? '[' : ',\n'}${JSON.stringify({ ...record, ...place })}`);
    isFirst = false;
  }
  yield Buffer.from(']');
}
