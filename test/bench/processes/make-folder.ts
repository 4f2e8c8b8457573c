// Writes a folder of a migration (docs/guides/migrating.md) of any size, as if it had been read from a source:
// `node test/bench/processes/make-folder.ts FOLDER COMPONENTS SOURCE-URL [small]`.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Manifest } from '#migrate/folder.ts';
import { linesFile, writeManifest } from '#migrate/folder.ts';
import type { Shape } from '../sizes/lines.ts';
import { linesOfSize } from '../sizes/lines.ts';

/** A file that is being written: what waits for it, and how many records went in. */
type Open = { readonly stream: WriteStream; waiting: string[]; records: number };

const linesAtOnce = 200;

/** Writes the folder. Gives the number of its records. */
export async function makeFolder(
  folder: string,
  components: number,
  source: string,
  shape: Shape = 'full',
): Promise<number> {
  const begun: Manifest = {
    format: 1,
    source: { url: source, release: 'R-B', version: 'v4.1.1' },
    started: new Date().toISOString(),
    finished: null,
    since: null,
    files: {},
  };
  await writeManifest(folder, begun);
  const files = new Map<string, Open>();
  for (const { file, text } of linesOfSize(components, shape)) {
    const open = files.get(file) ?? { stream: createWriteStream(linesFile(folder, file)), waiting: [], records: 0 };
    files.set(file, open);
    open.records += 1;
    open.waiting.push(text, '\n');
    if (open.waiting.length < 2 * linesAtOnce) continue;
    if (!open.stream.write(open.waiting.join(''))) await once(open.stream, 'drain');
    open.waiting = [];
  }
  for (const { stream, waiting } of files.values()) {
    stream.end(waiting.join(''));
    await finished(stream);
  }
  await writeManifest(folder, {
    ...begun,
    finished: new Date().toISOString(),
    files: Object.fromEntries([...files].map(([file, { records }]) => [file, { records, complete: true }])),
  });
  return [...files.values()].reduce((sum, { records }) => sum + records, 0);
}

if (import.meta.main) {
  const [folder = '', components = '', source = '', shape] = process.argv.slice(2);
  console.log(await makeFolder(folder, Number(components), source, shape === 'small' ? shape : 'full'));
}
