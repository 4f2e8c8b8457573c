// Somebody imports batches and waits for them, somebody gives EAD documents to jobs, and somebody has the search index made anew.
import { eadBytes } from '#test/support/make/finding-aid-ead.ts';
import { findingAidBytes } from '#test/support/make/finding-aid.ts';
import type { Actor, Stage } from './actor.ts';
import { idOf } from './actor.ts';
import type { Stored } from './stored.ts';

const components = 12;

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

type Import = { readonly title: string; readonly least: number; readonly most: number };

/** Imports that are there too often, too seldom, or in half. */
async function importFaults(stored: Stored, name: string, imports: readonly Import[]): Promise<readonly string[]> {
  const found = new Map((await stored.imported(`${name}-`)).map((row) => [row.title, row]));
  const faults = imports.flatMap(({ title, least, most }) => {
    const { resources, components: count } = found.get(title) ?? { resources: 0, components: 0 };
    found.delete(title);
    return resources >= least && resources <= most && count === resources * components
      ? []
      : [
          `${title} is there ${resources} times with ${count} components, and should be ${least} to ${most} times with ${components} each`,
        ];
  });
  return [...faults, ...[...found.keys()].map((title) => `${title} is there, and nobody sent it`)];
}

/** Sends batches; half of them under a key, again and again until they are answered. */
export function batchesActor({ client, random, repo }: Stage, name: string): Actor {
  const imports: Import[] = [];
  return {
    name,
    acknowledged: () => imports.filter(({ least }) => least === 1).length,
    act: async () => {
      const batch = `${name}-${imports.length}-`;
      const body = await textOf(findingAidBytes(idOf(repo), batch, components));
      const isKeyed = random() < 0.5;
      let least = 0;
      let failure: string | null = null;
      for (let tries = 0; tries < (isKeyed ? 4 : 1) && least === 0; tries++) {
        const outcome = await client.ask(`${repo}/batch_imports`, { body, ...(isKeyed ? { key: batch } : {}) });
        if (outcome.is === 'refused') client.faults.push(`${batch}: ${outcome.status} ${outcome.text}`);
        if (outcome.is !== 'done') continue;
        const last: unknown = endOf(outcome.text);
        const { saved, errors } = Object(last);
        if (errors === undefined && saved !== undefined) least = 1;
        // Its end was told: it failed, and nothing of it may be there.
        else if (errors !== undefined) failure = JSON.stringify(last);
        if (failure !== null) break;
      }
      if (failure !== null && !isExpected(failure)) client.faults.push(`${batch}: ${failure}`);
      imports.push({ title: `Records of ${batch}`, least, most: failure === null ? 1 : 0 });
    },
    verify: (stored) => importFaults(stored, name, imports),
  };
}

// A full disk is told as one.
const isExpected = (failure: string): boolean => /disk/i.test(failure);

/** The last element of a reply that is an array; null where it was cut off. */
function endOf(text: string): unknown {
  try {
    const lines: unknown = JSON.parse(text);
    return Array.isArray(lines) ? lines.at(-1) : null;
  } catch {
    return null;
  }
}

/** Gives EAD documents to jobs, and does not wait. */
export function documentsActor({ client, repo }: Stage, name: string): Actor {
  const imports: { readonly title: string; readonly job: string | null }[] = [];
  return {
    name,
    acknowledged: () => imports.filter(({ job }) => job !== null).length,
    act: async () => {
      const title = `${name}-${imports.length}-`;
      const form = new FormData();
      const job = { jsonmodel_type: 'import_job', import_type: 'ead_xml', filenames: [`${title}.xml`] };
      form.set('job', JSON.stringify({ jsonmodel_type: 'job', job }));
      form.append('files[]', new Blob([await textOf(eadBytes(title, components))]), `${title}.xml`);
      const outcome = await client.ask(`${repo}/jobs_with_files`, { form });
      if (outcome.is === 'refused') client.faults.push(`${title}: ${outcome.status} ${outcome.text}`);
      imports.push({ title, job: outcome.is === 'done' ? String(outcome.body['uri']) : null });
    },
    verify: async (stored) => {
      const ends = await Promise.all(
        imports.map(async ({ title, job }) => ({
          title,
          job,
          status: job === null ? null : await stored.statusOfJob(job),
        })),
      );
      return [
        ...ends.flatMap(({ job, status }) =>
          job !== null && status === null ? [`the job ${job} was acknowledged and is not there`] : [],
        ),
        ...(await importFaults(
          stored,
          name,
          ends.map(({ title, job, status }): Import => {
            // One that ended otherwise is told of by the check of jobs, unless the disk was full.
            const least = status === 'completed' ? 1 : 0;
            return { title, least, most: job === null ? 1 : least };
          }),
        )),
      ];
    },
  };
}

/** Has the index made anew, now and then beside the live one. */
export function reindexActor({ client, random }: Stage, name: string): Actor {
  const jobs: string[] = [];
  return {
    name,
    acknowledged: () => jobs.length,
    act: async () => {
      // Where the machine is busy elsewhere they would pile up.
      const status = await client.ask('/system/index-status');
      if (status.is !== 'done' || status.body['job'] !== null) return;
      const outcome = await client.ask(`/system/reindex?rewrite=${random() < 0.3}`, { method: 'POST' });
      if (outcome.is === 'done') jobs.push(String(outcome.body['uri']));
      if (outcome.is === 'refused') client.faults.push(`reindex: ${outcome.status} ${outcome.text}`);
    },
    verify: async (stored) => {
      const ends = await Promise.all(jobs.map(async (job) => ({ job, status: await stored.statusOfJob(job) })));
      // One that failed is told of by the check of jobs, unless the disk was full.
      return ends.filter(({ status }) => status === null).map(({ job }) => `the job ${job} is not there`);
    },
  };
}
