// A service in which resources are made to be exported, for the tests of what goes out.
import { afterAll } from 'vitest';
import type { TestApi } from './api.ts';
import { startTestApi } from './api.ts';

/** The service, and a repository of it. */
export type ExportedResources = {
  readonly api: TestApi;
  readonly repoId: number;
  /** The address of the repository. */
  readonly at: string;
  /** Makes a published file at the end of a resource, or below the parent that `more` names. */
  component(resource: string, title: string, more?: object): Promise<string>;
};

/** Starts it, and stops it after the last test of the file that awaits this at its top. */
export async function exportedResources(): Promise<ExportedResources> {
  const api = await startTestApi({ worker: 'jobs' });
  afterAll(() => api[Symbol.asyncDispose]());
  const repoId = await api.repository('EXP');
  const at = `/repositories/${repoId}`;
  return {
    api,
    repoId,
    at,
    component: (resource, title, more = {}) =>
      api.create(`${at}/archival_objects`, {
        title,
        level: 'file',
        publish: true,
        resource: { ref: resource },
        ...more,
      }),
  };
}
