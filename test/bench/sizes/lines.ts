// The records of the benchmarks of sizes as the lines of a load (docs/guides/migrating.md): those of the benchmark of batch imports, with addresses of
// their own. Made as they are read: any number of them.
import { findingAid } from '../../support/make/finding-aid.ts';

/** `small`: components have a title, a level and a date, and there is nothing else; `full`: they have notes, boxes, subjects and agents. */
export type Shape = 'small' | 'full';

/** A record as text, and the file of a folder that it belongs to. */
type LineOfFile = { readonly file: string; readonly text: string };

/** The repository of all of them. */
export const repoId = 2;

const fileOf: ReadonlyMap<unknown, string> = new Map([
  ['resource', 'resources'],
  ['subject', 'subjects'],
  ['agent_person', 'agents_people'],
  ['top_container', 'top_containers'],
  ['archival_object', 'archival_objects'],
]);

/** A repository, and a resource with so many components in series of a thousand. */
export function* linesOfSize(components: number, shape: Shape): Generator<LineOfFile> {
  yield {
    file: 'repositories',
    text: JSON.stringify({
      jsonmodel_type: 'repository',
      uri: `/repositories/${repoId}`,
      repo_code: 'moving',
      name: 'Repository of the benchmark',
      lock_version: 0,
    }),
  };
  for (const record of findingAid(repoId, 'main', components)) {
    const file = fileOf.get(record['jsonmodel_type']) ?? '';
    const isComponent = file === 'archival_objects';
    if (shape === 'small' && !isComponent && file !== 'resources') continue;
    const { subjects: _s, linked_agents: _l, instances: _i, extents: _e, notes: _n, ...small } = record;
    const text = JSON.stringify({ ...(shape === 'small' && isComponent ? small : record), lock_version: 0 });
    yield {
      file,
      text: text
        .replaceAll('/resources/import_bemain', '/resources/1')
        .replaceAll(/import_be(\d+)/g, (_, n: string) => `${Number(n) + 1}`),
    };
  }
}

/** The same as bytes, in pieces of some 256 KB. */
export async function* bytesOfSize(components: number, shape: Shape): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  for (const { text } of linesOfSize(components, shape)) {
    lines.push(text, '\n');
    if (lines.length < 400) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}
