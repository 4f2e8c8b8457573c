// The records of a file of lines in the order of their uris, as a comparison and a load of changes want them.
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { JsonObject } from '#domain/json.ts';
import { readLines, recordOf } from './folder.ts';
import { uriOf } from './reading.ts';
import { splitUri } from './uri-set.ts';

type Places = { readonly ids: number[]; readonly ats: number[]; readonly lengths: number[] };

/** The records of a file in the order of their uris, the last of several lines of one. What is in memory is where each line stands. */
export async function* sortedRecords(path: string): AsyncGenerator<JsonObject> {
  const lists = new Map<string, Places>();
  for await (const { bytes, at } of readLines(path)) {
    const { list, id } = splitUri(uriOf(recordOf(bytes, path, at)));
    let places = lists.get(list);
    if (places === undefined) lists.set(list, (places = { ids: [], ats: [], lengths: [] }));
    places.ids.push(id ?? -1);
    places.ats.push(at);
    places.lengths.push(bytes.length);
  }
  if (lists.size === 0) return;
  const file = await open(path);
  try {
    for (const list of [...lists.keys()].sort((one, other) => (one < other ? -1 : 1))) {
      const { ids, ats, lengths } = lists.get(list) ?? { ids: [], ats: [], lengths: [] };
      const order = Uint32Array.from(ids.keys()).sort(
        (one, other) => (ids[one] ?? 0) - (ids[other] ?? 0) || one - other,
      );
      for (const [index, line] of order.entries()) {
        const next = order[index + 1];
        if (next !== undefined && ids[next] === ids[line]) continue;
        yield await readAt(file, path, ats[line] ?? 0, lengths[line] ?? 0);
      }
    }
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, path: string, at: number, length: number): Promise<JsonObject> {
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  return recordOf(buffer, path, at);
}
