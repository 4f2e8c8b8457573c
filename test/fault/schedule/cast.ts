// The actors of a run: who they are, and how they are set to work and stopped for a check.
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '#test/support/random.ts';
import { accessionsActor } from './accessions.ts';
import type { Actor, Stage } from './actor.ts';
import type { Client } from './client.ts';
import { batchesActor, documentsActor, reindexActor } from './imports.ts';
import { mergesActor, transfersActor } from './merges.ts';
import { componentsActor, movesActor, publishingActor } from './trees.ts';

/** Who loads the service: all, or those of some names. */
export async function castOf(client: Client, seed: number, some?: readonly string[]): Promise<readonly Actor[]> {
  const repository = async (code: string): Promise<string> =>
    String((await client.certain('/repositories', { json: { repo_code: code, name: code } }))['uri']);
  const [repo, otherRepo] = [await repository('here'), await repository('there')];
  const subject = async (term: string): Promise<string> =>
    String(
      (
        await client.certain('/subjects', {
          json: {
            source: 'local',
            vocabulary: '/vocabularies/1',
            terms: [{ term, term_type: 'topical', vocabulary: '/vocabularies/1' }],
          },
        })
      )['uri'],
    );
  const agent = async (name: string): Promise<string> =>
    String(
      (
        await client.certain('/agents/people', {
          json: { names: [{ primary_name: name, name_order: 'direct', sort_name_auto_generate: true }] },
        })
      )['uri'],
    );
  const shared = {
    subjects: [await subject('even'), await subject('odd')],
    agents: [await agent('Even'), await agent('Odd')],
  };
  let number = 0;
  const stage = (): Stage => ({ client, random: seededRandom(seed * 1000 + (number += 1)), repo, otherRepo });
  const all: readonly (readonly [string, (stage: Stage, name: string) => Actor | Promise<Actor>])[] = [
    ['zqa', (at, name) => accessionsActor(at, name, shared)],
    ['zqb', (at, name) => accessionsActor(at, name, shared)],
    ['components', componentsActor],
    ['moves', movesActor],
    ['publishing', publishingActor],
    ['merges', mergesActor],
    ['transfers', transfersActor],
    ['batches', batchesActor],
    ['documents', documentsActor],
    ['reindex', reindexActor],
  ];
  const cast: Actor[] = [];
  for (const [name, actor] of all) {
    const at = stage();
    if (some?.includes(name) !== false) cast.push(await actor(at, name));
  }
  return cast;
}

/** How long actors rest between two goes. */
export const usualRestMs = 150;

/** How long an actor rests, where it is longer than the others do. */
const restsMs: { readonly [name: string]: number } = { batches: 1500, documents: 3000, reindex: 10_000 };

/** The actors at work: each acts again and again, until all are told to pause between two goes. */
export class Crew {
  readonly #loops: readonly Promise<void>[];
  readonly #onFailure: (text: string) => void;
  readonly #restMs: number;
  #gate = Promise.withResolvers<void>();
  #isOpen = false;
  #isOver = false;
  #busy = new Set<Promise<void>>();

  constructor(cast: readonly Actor[], onFailure: (text: string) => void, restMs = usualRestMs) {
    this.#onFailure = onFailure;
    this.#restMs = restMs;
    this.#loops = cast.map((actor) => this.#loop(actor));
  }

  goOn(): void {
    this.#isOpen = true;
    this.#gate.resolve();
  }

  async pause(): Promise<void> {
    if (this.#isOpen) this.#gate = Promise.withResolvers<void>();
    this.#isOpen = false;
    await Promise.all(this.#busy);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.goOn();
    await Promise.all(this.#loops);
  }

  async #loop(actor: Actor): Promise<void> {
    for (;;) {
      await this.#gate.promise;
      if (this.#isOver) return;
      const act = actor.act().catch((error: unknown) => this.#onFailure(`${actor.name}: ${String(error)}`));
      this.#busy.add(act);
      await act.finally(() => this.#busy.delete(act));
      await sleep(restsMs[actor.name] ?? this.#restMs);
    }
  }
}
