// Somebody moves components of one tree by hand while a long import fills another in the same repository: what the fairness test and its
// benchmark share. Over HTTP alone, so that whatever processes serve are met as clients meet them.
import { randomUUID } from 'node:crypto';
import { findingAidBytes, resourceOf } from './make/finding-aid.ts';

/** A service, and a session that may import and move. */
export type Fair = { readonly url: string; readonly session: string; readonly repoId: number };

/** An import under way. */
export type Importing = {
  /** When the worker has begun to save records; rejects where the import ends before. */
  readonly saving: Promise<void>;
  /** When the reply ends; gives the milliseconds since records began to be saved. Rejects where the import is refused. */
  readonly ended: Promise<number>;
  isSaving(): boolean;
};

/** Sends a finding aid of `count` components and reads the reply as it comes. */
export function startImport({ url, session, repoId }: Fair, name: string, count: number): Importing {
  const begun = Promise.withResolvers<void>();
  let savingSince = Number.NaN;
  let isOver = false;
  const follow = async (): Promise<number> => {
    const reply = await fetch(`${url}/repositories/${repoId}/batch_imports?skip_results=true`, {
      method: 'POST',
      headers: { 'x-service-session': session },
      body: ReadableStream.from(findingAidBytes(repoId, name, count)),
      duplex: 'half',
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of reply.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (!Number.isNaN(savingSince) || !text.includes('"label":"Saving records')) continue;
      savingSince = performance.now();
      begun.resolve();
    }
    isOver = true;
    if (reply.status !== 200 || !text.endsWith('{"saved":[]}\n\n]\n'))
      throw new Error(`the import failed: ${text.slice(-500)}`);
    return performance.now() - savingSince;
  };
  const ended = follow().finally(() => {
    isOver = true;
    // Settled already where saving began.
    begun.reject(new Error('the import ended before it saved records'));
  });
  ended.catch(() => undefined);
  return { saving: begun.promise, ended, isSaving: () => !Number.isNaN(savingSince) && !isOver };
}

/** Imports a tree to move in and gives the uris of its components, all in one list of siblings. */
export async function plantSiblings({ url, session, repoId }: Fair, count: number): Promise<readonly string[]> {
  const root = { ...resourceOf(repoId, `by-hand-${randomUUID()}`), title: 'Moved by hand' };
  const nodes = Array.from({ length: count }, (_, n) => ({
    jsonmodel_type: 'archival_object',
    uri: `/repositories/${repoId}/archival_objects/import_hand${n}`,
    title: `File ${n}`,
    level: 'file',
    resource: { ref: root.uri },
    position: n,
  }));
  const reply = await fetch(`${url}/repositories/${repoId}/batch_imports`, {
    method: 'POST',
    headers: { 'x-service-session': session },
    body: JSON.stringify([root, ...nodes]),
  });
  const last: {
    readonly saved: { readonly [temporary: string]: readonly [string, number] };
    readonly errors?: readonly string[];
  } = JSON.parse(await reply.text()).at(-1);
  if (last.errors !== undefined) throw new Error(last.errors.join('\n'));
  return nodes.map((node) => last.saved[node.uri]?.[0] ?? '');
}

/** A move as it was asked for and answered. */
export type Move = {
  readonly uri: string;
  readonly position: number;
  readonly ms: number;
  readonly endedWhileSaving: boolean;
};

/** Moves components one after the other, at a person's quickest, while `goOn` says so. `round` tells runs apart. */
export async function moveWhile(
  { url, session }: Fair,
  uris: readonly string[],
  goOn: (done: number) => boolean,
  isSaving: () => boolean = () => false,
  round = 0,
): Promise<readonly Move[]> {
  const moves: Move[] = [];
  while (goOn(moves.length)) {
    // Multiples of an irrational number never come round, so hardly a move finds its node in place.
    const somewhere = (n: number): number => Math.floor(((n * Math.SQRT2) % 1) * uris.length);
    const [uri = '', position] = [uris[somewhere(moves.length * 7 + 3 + round)], somewhere(moves.length + 1 + round)];
    const started = performance.now();
    const reply = await fetch(`${url}${uri}/parent?position=${position}`, {
      method: 'POST',
      headers: { 'x-service-session': session },
    });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${uri}: ${reply.status} ${text}`);
    moves.push({ uri, position, ms: performance.now() - started, endedWhileSaving: isSaving() });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return moves;
}
