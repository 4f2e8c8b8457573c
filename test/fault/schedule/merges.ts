// Somebody merges subjects that an accession shows, and somebody transfers accessions to another repository: both touch several records at once.
import type { Actor, Stage } from './actor.ts';
import { idOf, refsOf } from './actor.ts';

/** How a write of several records stands: it was acknowledged, refused, or nothing is known of it. */
type Deed = 'done' | 'refused' | 'unknown';

/** Merges one subject into another. */
export function mergesActor({ client, repo }: Stage, name: string): Actor {
  const merges: {
    readonly kept: string;
    readonly gone: string;
    readonly shows: string;
    deed: Deed;
  }[] = [];
  let n = 0;
  const create = async (path: string, json: object): Promise<string | null> => {
    const outcome = await client.ask(path, { json });
    if (outcome.is === 'refused') client.faults.push(`${path}: ${outcome.status} ${outcome.text}`);
    return outcome.is === 'done' ? String(outcome.body['uri']) : null;
  };
  const subject = (): Promise<string | null> =>
    create('/subjects', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: `${name} ${(n += 1)}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
  return {
    name,
    acknowledged: () => merges.filter(({ deed }) => deed === 'done').length,
    act: async () => {
      const [kept, gone] = [await subject(), await subject()];
      if (kept === null || gone === null) return;
      const shows = await create(`${repo}/accessions`, {
        id_0: `${name}-${n}`,
        accession_date: '2026-01-01',
        subjects: [{ ref: gone }],
      });
      if (shows === null) return;
      const outcome = await client.ask('/merge_requests/subject', {
        json: { merge_destination: { ref: kept }, merge_candidates: [{ ref: gone }] },
      });
      if (outcome.is === 'refused') client.faults.push(`merge of ${gone}: ${outcome.status} ${outcome.text}`);
      merges.push({ kept, gone, shows, deed: outcome.is });
    },
    verify: async (stored) => {
      const subjects = new Set((await stored.all('/subjects')).map(({ uri }) => String(uri)));
      const accessions = new Map(
        (await stored.all(`${repo}/accessions`)).map((record) => [String(record['uri']), record]),
      );
      return merges.flatMap(({ kept, gone, shows, deed }) => {
        const [shown] = refsOf(accessions.get(shows) ?? {}, 'subjects');
        const isMerged = !subjects.has(gone) && shown === kept;
        const isAsBefore = subjects.has(gone) && shown === gone;
        const isRight =
          subjects.has(kept) && (deed === 'done' ? isMerged : deed === 'refused' ? isAsBefore : isMerged || isAsBefore);
        return isRight
          ? []
          : [
              `the merge of ${gone} into ${kept} is ${deed}: ${gone} is ${subjects.has(gone) ? '' : 'not '}there, and ${shows} shows ${shown}`,
            ];
      });
    },
  };
}

/** Transfers accessions. */
export function transfersActor({ client, repo, otherRepo }: Stage, name: string): Actor {
  const transfers: { readonly from: string; readonly to: string; deed: Deed }[] = [];
  return {
    name,
    acknowledged: () => transfers.filter(({ deed }) => deed === 'done').length,
    act: async () => {
      const made = await client.ask(`${repo}/accessions`, {
        json: { id_0: `${name}-${transfers.length}-${Math.floor(performance.now())}`, accession_date: '2026-01-01' },
      });
      if (made.is === 'refused') client.faults.push(`${name}: ${made.status} ${made.text}`);
      if (made.is !== 'done') return;
      const from = String(made.body['uri']);
      const outcome = await client.ask(`${from}/transfer?target_repo=${otherRepo}`, { method: 'POST' });
      if (outcome.is === 'refused') client.faults.push(`transfer of ${from}: ${outcome.status} ${outcome.text}`);
      transfers.push({ from, to: `${otherRepo}/accessions/${idOf(from)}`, deed: outcome.is });
    },
    verify: async (stored) => {
      const here = new Set((await stored.all(`${repo}/accessions`)).map(({ uri }) => String(uri)));
      const there = new Set((await stored.all(`${otherRepo}/accessions`)).map(({ uri }) => String(uri)));
      return transfers.flatMap(({ from, to, deed }) => {
        const isMoved = !here.has(from) && there.has(to);
        const isAsBefore = here.has(from) && !there.has(to);
        return (deed === 'done' ? isMoved : deed === 'refused' ? isAsBefore : isMoved || isAsBefore)
          ? []
          : [
              `the transfer of ${from} is ${deed}: it is ${here.has(from) ? '' : 'not '}here and ${there.has(to) ? '' : 'not '}there`,
            ];
      });
    },
  };
}
