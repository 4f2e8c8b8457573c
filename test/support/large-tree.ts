// A resource with so many components that what concerns all of them is a job's.
import type { JsonObject } from '#domain/json.ts';
import type { TestApi } from './api.ts';
import { ok } from './api.ts';
import { resourceBody } from './records.ts';

/** Makes the resource and `count` components directly below it, in one request; `bodyOf` tells what each has besides title and level. */
export async function largeTree(
  api: TestApi,
  repoId: number,
  { code, count, root = {}, bodyOf }: LargeTree,
): Promise<string> {
  const resource = await api.create(`/repositories/${repoId}/resources`, resourceBody(code, root));
  const children = Array.from({ length: count }, (_, n) => ({
    title: `File ${n}`,
    level: 'file',
    resource: { ref: resource },
    ...bodyOf?.(n),
  }));
  ok(await api.post(`${resource}/children`, { children }));
  return resource;
}

type LargeTree = {
  readonly code: string;
  readonly count: number;
  readonly root?: JsonObject;
  readonly bodyOf?: (n: number) => object;
};
