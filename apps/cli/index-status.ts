// How far the search index is behind the records.
import { isObject } from '#domain/json.ts';
import type { Client } from './client.ts';

/** What waits to be indexed: changes not yet looked at, records due soon, records due in bulk, and fans (records whose dependents are due). */
export type IndexStatus = {
  readonly changes: number;
  readonly due: number;
  readonly bulk: number;
  readonly fans: number;
  readonly waitingSeconds: number;
};

/** Asks for the state of the index; needs an administrator. */
export async function readIndexStatus(client: Client): Promise<IndexStatus> {
  const reply = await client.ask('/system/index-status');
  const number = (name: string): number => (isObject(reply) && typeof reply[name] === 'number' ? reply[name] : 0);
  return {
    changes: number('changes'),
    due: number('due'),
    bulk: number('due_bulk'),
    fans: number('fans'),
    waitingSeconds: number('waiting_seconds'),
  };
}
