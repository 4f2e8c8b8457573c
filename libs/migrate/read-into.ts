// Reads a source into a folder, file by file; goes on where an earlier run stopped, however that ended.
import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { Refused, WrongFolder } from './failures.ts';
import type { Manifest } from './folder.ts';
import { LinesWriter, linesFile, readLines, readManifest, readRecords, recordOf, writeManifest } from './folder.ts';
import type { FilePlan } from './plan.ts';
import { jobsFile, makePlan } from './plan.ts';
import type { Problem } from './reading.ts';
import { deleteFeed, deletedPages, readUnit, uriOf } from './reading.ts';
import type { Source } from './source.ts';
import { UriSet } from './uri-set.ts';

/** How a source is read. `since`: only what has changed from this second on (epoch). */
export type ReadOptions = {
  readonly since?: number | null;
  readonly withJobs?: boolean;
  readonly onProgress?: (file: string, done: number, total: number) => void;
  readonly now?: () => Date;
};

/** What was read: records of each file, those of this run, and how much there was that could not be read. */
export type ReadOutcome = { readonly manifest: Manifest; readonly readNow: number; readonly problems: number };

/** The file of what could not be read. */
export const problemsFile = 'problems';
/** The file of what was deleted. */
export const deletedFile = 'deleted';

/** Reads all that there is, or what of it is not in the folder yet. A folder that is complete is left as it is. */
export async function readInto(source: Source, folder: string, options: ReadOptions = {}): Promise<ReadOutcome> {
  const now = options.now ?? (() => new Date());
  const since = options.since ?? null;
  const old = await readManifest(folder);
  if (old !== null && old.source.url !== source.url)
    throw new WrongFolder(
      `${folder} holds records of ${old.source.url}: give another folder for those of ${source.url}.`,
    );
  if (old !== null && (old.since ?? null) !== since)
    throw new WrongFolder(
      `${folder} was begun ${old.since === null ? 'without --since' : `with --since ${old.since}`}: give another folder.`,
    );
  let manifest: Manifest = {
    format: 1,
    source: { url: source.url, release: source.release, version: source.version },
    started: old?.started ?? now().toISOString(),
    finished: old?.finished ?? null,
    since,
    files: old?.files ?? {},
  };
  if (manifest.finished !== null) return { manifest, readNow: 0, problems: await countLines(folder, problemsFile) };
  await writeManifest(folder, manifest);
  const note = async (file: string, records: number): Promise<void> => {
    manifest = { ...manifest, files: { ...manifest.files, [file]: { records, complete: true } } };
    await writeManifest(folder, manifest);
  };

  let readNow = 0;
  const plan = (await makePlan(source)).filter(({ file }) => file !== jobsFile || options.withJobs !== false);
  await forgetProblems(folder, new Set(plan.map(({ file }) => file).filter((file) => !isComplete(manifest, file))));
  for (const files of plan) {
    if (isComplete(manifest, files.file)) continue;
    const { records, added } = await readFile(source, folder, files, { ...options, since });
    readNow += added;
    await note(files.file, records);
  }
  const deleted = await readDeleted(source, folder, since ?? 0);
  await note(deletedFile, deleted.records);
  manifest = {
    ...manifest,
    finished: now().toISOString(),
    ...feedBehind(deleted.isRead, since),
  };
  await writeManifest(folder, manifest);
  return { manifest, readNow, problems: await countLines(folder, problemsFile) };
}

/** Where the delete feed could not be read: that it still is to be, from this second on (epoch; null: from the first). */
const feedBehind = (isRead: boolean, since: number | null): Pick<Manifest, 'behind'> =>
  isRead ? {} : { behind: { [deleteFeed]: new Date((since ?? 0) * 1000).toISOString() } };

const isComplete = (manifest: Manifest, file: string): boolean => manifest.files[file]?.complete === true;

/** Reads a file of a plan, or what of it is not there yet. */
export async function readFile(
  source: Source,
  folder: string,
  { file, units }: FilePlan,
  options: ReadOptions,
): Promise<{ readonly records: number; readonly added: number }> {
  const path = linesFile(folder, file);
  const have = new UriSet();
  let end = 0;
  for await (const { bytes, at } of readLines(path)) {
    have.add(uriOf(recordOf(bytes, path, at)));
    end = at + bytes.length + 1;
  }
  const before = have.size;
  const writer = await LinesWriter.open(path, end);
  const problems = await openAppending(folder, problemsFile);
  const found: Problem[] = [];
  let total = before;
  try {
    for (const unit of units) {
      const pages = readUnit(source, unit, {
        has: (uri) => have.has(uri),
        since: options.since ?? null,
        onProblem: (problem) => found.push(problem),
        onTotal: (more) => {
          total += more;
        },
      });
      for await (const page of pages) {
        const fresh = page.filter((record) => have.add(uriOf(record)));
        if (file === jobsFile) for (const job of fresh) found.push(...(await keepJobFiles(source, folder, uriOf(job))));
        await writer.write(fresh);
        options.onProgress?.(file, have.size, total);
        await problems.write(found.splice(0).map((problem) => ({ ...problem, file })));
      }
      await problems.write(found.splice(0).map((problem) => ({ ...problem, file })));
    }
  } finally {
    await problems.close();
    await writer.close();
  }
  return { records: have.size, added: have.size - before };
}

/** Log and files of a job, as they stand; kept before its line is, so that a job that is listed has them. */
async function keepJobFiles(source: Source, folder: string, uri: string): Promise<readonly Problem[]> {
  const id = fileName(uri.split('/').at(-1) ?? '');
  // Of many jobs there is no log and there are no files.
  const problemAt = (from: string, error: unknown): readonly Problem[] => {
    if (!(error instanceof Refused)) throw error;
    return error.status === 404 ? [] : [{ uri: from, status: error.status ?? null, reason: error.message }];
  };
  const keep = async (from: string, ...to: readonly string[]): Promise<readonly Problem[]> => {
    try {
      const path = join(folder, ...to);
      await mkdir(join(path, '..'), { recursive: true });
      await pipeline(await source.download(from), createWriteStream(`${path}.part`));
      await rename(`${path}.part`, path);
      return [];
    } catch (error) {
      return problemAt(from, error);
    }
  };
  const problems = [...(await keep(`${uri}/log`, 'job_logs', `${id}.txt`))];
  const listed = `${uri}/output_files`;
  const files = await source.ask(listed).catch((error: unknown) => {
    problems.push(...problemAt(listed, error));
    return [];
  });
  const fileIds = (Array.isArray(files) ? files : []).map((file) => (isObject(file) ? file['id'] : file));
  for (const fileId of fileIds.filter((value) => value !== undefined && value !== null).map(String))
    problems.push(...(await keep(`${listed}/${fileId}`, 'job_files', id, fileName(fileId))));
  return problems;
}

/** A name that the source gave, as one of a file: it leads nowhere else. */
const fileName = (text: string): string => text.replace(/[^\w-]/g, '_');

/**
 * Writes down what the delete feed tells since a second, behind what is known to be deleted; the feed does not say when. Gives how much is
 * known now, and whether the feed could be read. `onNews` takes what was not known, before the folder knows it.
 */
export async function readDeleted(
  source: Source,
  folder: string,
  since: number,
  onNews: (uris: readonly string[]) => Promise<void> = async () => undefined,
): Promise<{ readonly records: number; readonly isRead: boolean }> {
  const seen = new UriSet();
  let isRead = true;
  for await (const record of readRecords(linesFile(folder, deletedFile))) seen.add(uriOf(record));
  const writer = await openAppending(folder, deletedFile);
  try {
    for await (const uris of deletedPages(source, since)) {
      const news = uris.filter((uri) => seen.add(uri));
      await onNews(news);
      await writer.write(news.map((uri) => ({ uri, at: null })));
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    isRead = false;
    const problems = await openAppending(folder, problemsFile);
    await problems.write([{ uri: deleteFeed, status: error.status ?? null, reason: error.message, file: deletedFile }]);
    await problems.close();
  } finally {
    await writer.close();
  }
  return { records: seen.size, isRead };
}

/** Takes out the problems of files that are read on: what is still one is found again. */
export async function forgetProblems(folder: string, files: ReadonlySet<string>): Promise<void> {
  const kept: JsonObject[] = [];
  for await (const problem of readRecords(linesFile(folder, problemsFile)))
    if (!files.has(String(problem['file'])) && problem['file'] !== deletedFile) kept.push(problem);
  const writer = await LinesWriter.open(linesFile(folder, problemsFile), 0);
  await writer.write(kept);
  await writer.close();
}

/** Opens a file of lines to append to it, behind its last whole line. */
export async function openAppending(folder: string, file: string): Promise<LinesWriter> {
  let end = 0;
  for await (const { bytes, at } of readLines(linesFile(folder, file))) end = at + bytes.length + 1;
  return LinesWriter.open(linesFile(folder, file), end);
}

/** How many whole lines a file has. */
export async function countLines(folder: string, file: string): Promise<number> {
  let count = 0;
  for await (const _line of readLines(linesFile(folder, file))) count++;
  return count;
}
