// Merges over HTTP in tests: what is merged, each with a name of its own, what holds refs to it, and the requests of clients.
import type { Reply, TestApi } from './api.ts';
import { personBody } from './records.ts';

/** What a file of tests merges: records of one repository and of none, and the requests. Who makes records is given their uris. */
export type Merges = {
  person(more?: object): Promise<string>;
  accession(more?: object): Promise<string>;
  /** Asks for a merge at the address of `what`; `query` begins with its question mark. */
  merge(what: string, destination: string, candidates: readonly string[], query?: string): Promise<Reply>;
  /** Undoes a merge by the address that its reply names. */
  undo(reply: Reply): Promise<Reply>;
};

/** Makes records and merges them in a service; what belongs to a repository is in the one given. */
export function mergesOf(api: TestApi, repoId: number): Merges {
  let n = 0;
  return {
    person: async (more = {}) => api.create('/agents/people', personBody(`Person ${(n += 1)}`, more as never)),
    accession: async (more = {}) =>
      api.create(`/repositories/${repoId}/accessions`, { id_0: `A${(n += 1)}`, accession_date: '2020-01-01', ...more }),
    merge: (what, destination, candidates, query = '') =>
      api.post(`/merge_requests/${what}${query}`, {
        jsonmodel_type: 'merge_request',
        merge_destination: { ref: destination },
        merge_candidates: refs(...candidates),
      }),
    undo: (reply) => api.post(`${/<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1]}/undo`),
  };
}

/** Refs to records, as bodies have them. */
export const refs = (...uris: readonly string[]): { ref: string }[] => uris.map((ref) => ({ ref }));
