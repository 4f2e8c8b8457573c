// What is compared: a folder that was read, or a service that runs. Both give the records of a file in the order of their uris.
import type { JsonObject } from '#domain/json.ts';
import { CliFailure } from '../failure.ts';
import type { Manifest } from '#migrate/folder.ts';
import { Refused } from '#migrate/failures.ts';
import { linesFile, readManifest, readRecords } from '#migrate/folder.ts';
import { sortedRecords } from '#migrate/sorted-records.ts';
import type { FilePlan } from '#migrate/plan.ts';
import { idsOf, jobsFile, makePlan } from '#migrate/plan.ts';
import { deletedFile, problemsFile } from '#migrate/read-into.ts';
import type { Problem } from '#migrate/reading.ts';
import { deleteFeed, deletedPages, readUnit, uriOf } from '#migrate/reading.ts';
import type { Release, Source } from '#migrate/source.ts';
import { compareUris, splitUri } from '#migrate/uri-set.ts';

/** One of the two that are compared. */
export type Side = {
  readonly name: string;
  readonly release: Release;
  /** The files that are compared: all but jobs, which are history. */
  readonly files: readonly string[];
  /** Holds only what changed: that a record is not in it says nothing. */
  readonly isPart: boolean;
  /** The service, which can be asked for what it makes of its records; null: a folder. */
  readonly service: Source | null;
  /** Records in the order of their uris, each once. */
  records(file: string): AsyncGenerator<JsonObject>;
  /** What could not be read, as far as it is known. */
  problems(): AsyncGenerator<Problem>;
  /** Uris that the side tells to be deleted, each once or more. */
  deleted(): AsyncGenerator<string>;
  /** Whether a record that was listed, and not found when it was read, was deleted meanwhile: the side tells that. */
  isGone(uri: string): Promise<boolean>;
};

/** A folder as a side. Fails where it was not read to its end. */
export async function folderSide(folder: string): Promise<Side> {
  const manifest = await readManifest(folder);
  if (manifest === null) throw new CliFailure(`${folder} holds nothing that was read.`);
  if (manifest.finished === null)
    throw new CliFailure(`${folder} is not read to its end: run the command that reads it again.`);
  return {
    name: `${folder}, read from ${manifest.source.url}`,
    release: manifest.source.release,
    files: comparedFiles(manifest),
    isPart: manifest.since !== null,
    service: null,
    records: (file) => sortedRecords(linesFile(folder, file)),
    problems: async function* () {
      for await (const { uri, status, reason } of readRecords(linesFile(folder, 'problems')))
        yield { uri: String(uri), status: typeof status === 'number' ? status : null, reason: String(reason) };
    },
    deleted: async function* () {
      for await (const record of readRecords(linesFile(folder, deletedFile))) yield uriOf(record);
    },
    isGone: async (uri) => {
      for await (const record of readRecords(linesFile(folder, deletedFile))) if (uriOf(record) === uri) return true;
      return false;
    },
  };
}

/** A running service as a side. */
export async function serviceSide(source: Source): Promise<Side> {
  const plan = (await makePlan(source)).filter(({ file }) => file !== jobsFile);
  const found: Problem[] = [];
  return {
    name: `${source.url}, ${source.version}`,
    release: source.release,
    files: plan.map(({ file }) => file),
    isPart: false,
    service: source,
    records: (file) =>
      servedRecords(
        source,
        plan.find((files) => files.file === file),
        (problem) => found.push(problem),
      ),
    problems: async function* () {
      yield* found;
    },
    deleted: async function* () {
      try {
        for await (const page of deletedPages(source, 0)) yield* page;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        found.push({ uri: deleteFeed, status: error.status ?? null, reason: error.message });
      }
    },
    isGone: async (uri) => {
      const { list, id } = splitUri(uri);
      return id !== null && !(await idsOf(source, list)).includes(id);
    },
  };
}

async function* servedRecords(
  source: Source,
  plan: FilePlan | undefined,
  onProblem: (problem: Problem) => void,
): AsyncGenerator<JsonObject> {
  const units = plan?.units ?? [];
  // Lists that come whole are put in order here: they are short, and their uris follow from no address.
  const whole: JsonObject[] = [];
  for (const unit of units.filter(({ how }) => how !== 'ids'))
    for await (const page of readUnit(source, unit, { onProblem })) whole.push(...page);
  whole.sort((one, other) => compareUris(uriOf(one), uriOf(other)));
  yield* whole.filter((record, index) => index === 0 || uriOf(record) !== uriOf(whole[index - 1] ?? {}));
  const byIds = units.filter(({ how }) => how === 'ids').toSorted((one, other) => (one.at < other.at ? -1 : 1));
  for (const unit of byIds) for await (const page of readUnit(source, unit, { onProblem })) yield* page;
}

function comparedFiles({ files }: Manifest): readonly string[] {
  return Object.keys(files).filter((file) => ![jobsFile, deletedFile, problemsFile].includes(file));
}
