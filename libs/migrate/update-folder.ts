// A folder that was read to its end is brought up to date: of the lists that tell it, only what has changed since is read. Each file is replaced
// whole, and the time from which on changes count moves last, so that what was interrupted is done again and nothing is skipped.
import { createHash } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import type { JsonObject } from '#domain/json.ts';
import { Refused, WrongFolder } from './failures.ts';
import type { Manifest } from './folder.ts';
import { LinesWriter, linesFile, readLines, readManifest, readRecords, recordOf, writeManifest } from './folder.ts';
import type { FilePlan } from './plan.ts';
import { idsOf, jobsFile, makePlan } from './plan.ts';
import type { ReadOptions, ReadOutcome } from './read-into.ts';
import {
  countLines,
  deletedFile,
  forgetProblems,
  openAppending,
  problemsFile,
  readDeleted,
  readFile,
} from './read-into.ts';
import type { Problem } from './reading.ts';
import { deleteFeed, readThese, readUnit, uriOf } from './reading.ts';
import { secondBefore } from './since.ts';
import type { Source } from './source.ts';
import { changesOf } from './told-changes.ts';
import { aboveOf } from './tree-order.ts';
import { UriSet, splitUri } from './uri-set.ts';

/** Brings a folder up to date. Fails as wrong use where it is none that was read whole, of this source. */
export async function updateFolder(source: Source, folder: string, options: ReadOptions = {}): Promise<ReadOutcome> {
  const now = options.now ?? (() => new Date());
  const old = await readManifest(folder);
  if (old === null || (old.finished === null && old.updating === undefined))
    throw new WrongFolder(`${folder} is not read to its end yet.`);
  if (old.since !== null) throw new WrongFolder(`${folder} holds only changes: it cannot be brought up to date.`);
  // What was sent is not to be mixed with what comes now: of that, nobody could tell any more whether it is loaded.
  if (old.sending !== undefined)
    throw new WrongFolder(`Nobody knows yet whether ${folder} was loaded into ${old.sending.service}: load it first.`);
  if (old.source.url !== source.url)
    throw new WrongFolder(`${folder} holds records of ${old.source.url}, not of ${source.url}.`);
  const began = now().toISOString();
  let manifest: Manifest = { ...old, finished: null, updating: began };
  await writeManifest(folder, manifest);

  const behindBefore = old.behind ?? {};
  const behind: { [list: string]: string } = {};
  const sinceOf = (list: string): number => secondBefore(behindBefore[list] ?? old.started);
  const onUnread = (list: string): void => void (behind[list] = behindBefore[list] ?? old.started);
  const plan = (await makePlan(source)).filter(({ file }) => file !== jobsFile || file in old.files);
  await forgetProblems(folder, new Set(plan.map(({ file }) => file)));
  const problems = await openAppending(folder, problemsFile);
  const changes = await changesOf(folder, old.loaded !== undefined);
  const listed: UriSet[] = [];
  let readNow = 0;
  try {
    for (const files of plan) {
      const found: Problem[] = [];
      const onProblem = (problem: Problem): void => void found.push(problem);
      const onListed = (uris: UriSet): void => void listed.push(uris);
      const told = { onProblem, onListed, onUnread, onChanged: changes.add, onRemoved: changes.remove };
      const update = { source, folder, files, sinceOf, ...told };
      const { records, added } = await updateFile(update, options);
      readNow += added;
      manifest = { ...manifest, files: { ...manifest.files, [files.file]: { records, complete: true } } };
      await problems.write(found.map((problem) => ({ ...problem, file: files.file })));
    }
  } finally {
    await problems.close();
  }
  // What came and went between two readings was in no list, and yet others may have seen it. What is in a list is there, whatever the feed tells.
  const { records, isRead } = await readDeleted(source, folder, sinceOf(deleteFeed), (uris) =>
    changes.tellGone(uris.filter((uri) => !listed.some((list) => list.has(uri)))),
  );
  if (!isRead) onUnread(deleteFeed);
  const { updating: _, behind: _before, ...rest } = manifest;
  manifest = {
    ...rest,
    source: { url: source.url, release: source.release, version: source.version },
    started: began,
    finished: now().toISOString(),
    ...(Object.keys(behind).length === 0 ? {} : { behind }),
    files: { ...manifest.files, [deletedFile]: { records, complete: true } },
  };
  await writeManifest(folder, manifest);
  return { manifest, readNow, problems: await countLines(folder, problemsFile) };
}

type Update = {
  readonly source: Source;
  readonly folder: string;
  readonly files: FilePlan;
  /** The second from which on changes of a list count. */
  readonly sinceOf: (list: string) => number;
  readonly onProblem: (problem: Problem) => void;
  /** Takes a list that could not be read, in which changes go on counting from when they did. */
  readonly onUnread: (list: string) => void;
  /** Takes all that is there. */
  readonly onListed: (uris: UriSet) => void;
  /** Takes the records that are new or other than before. */
  readonly onChanged: (file: string, records: readonly JsonObject[]) => Promise<void>;
  /** Takes the uris that are there no more, before the file forgets them. */
  readonly onRemoved: (uris: readonly string[]) => Promise<void>;
};

/** What became of a file: its records, and how many were read. */
type Updated = { readonly records: number; readonly added: number };

async function updateFile(update: Update, options: ReadOptions): Promise<Updated> {
  const { source, folder, files } = update;
  const { file, units } = files;
  // Jobs are history: what is there stays as it was.
  if (file === jobsFile) return readFile(source, folder, files, options);
  const path = linesFile(folder, file);
  const fresh = `${path}.new`;
  const writer = await LinesWriter.open(fresh, 0);
  try {
    let added = 0;
    const write = async (page: readonly JsonObject[], changed = page): Promise<void> => {
      await writer.write(page);
      await update.onChanged(file, changed);
      options.onProgress?.(file, (added += page.length), 0);
    };
    const isListed = units.every(({ how, each }) => how === 'ids' && each === undefined);
    const changes = isListed ? await listChanges(update, path) : null;
    if (changes !== null) update.onListed(changes.all);
    if (changes !== null && changes.changed.size === 0 && changes.removed.length === 0)
      return { records: changes.kept, added: 0 };
    if (changes !== null) await writeChanged(update, path, changes, writer, write);
    const removed = changes === null ? await writeAnew(update, path, write) : changes.removed;
    await update.onRemoved(removed);
    await writer.close();
    await rename(fresh, path);
    return { records: await countLines(folder, file), added };
  } finally {
    await writer.close().catch(() => undefined);
    await rm(fresh, { force: true });
  }
}

/** Reads lists that do not tell what has changed, whole. Gives what they have no more; where one cannot be read, what is there stays. */
async function writeAnew(
  { source, files, onProblem, onListed }: Update,
  path: string,
  write: (page: readonly JsonObject[], changed: readonly JsonObject[]) => Promise<void>,
): Promise<readonly string[]> {
  const before = new Map<string, string>();
  for await (const record of readRecords(path)) before.set(uriOf(record), JSON.stringify(record));
  let isWhole = true;
  const written = new UriSet();
  for (const unit of files.units) {
    const problems = (problem: Problem): void => {
      isWhole = false;
      onProblem(problem);
    };
    for await (const page of readUnit(source, unit, { onProblem: problems })) {
      const fresh = page.filter((record) => written.add(uriOf(record)));
      const changed = fresh.filter((record) => before.get(uriOf(record)) !== JSON.stringify(record));
      // Controlled lists are loaded as a whole, since their ids are of one table: they come in one reply.
      await write(fresh, files.file === 'enumerations' && changed.length > 0 ? fresh : changed);
    }
  }
  const rest = [...before.keys()].filter((uri) => !written.has(uri));
  if (!isWhole) for (const uri of rest) written.add(uri);
  onListed(written);
  if (isWhole) return rest;
  await write(
    rest.map((uri) => JSON.parse(before.get(uri) ?? '{}') as JsonObject),
    [],
  );
  return [];
}

type Changes = { readonly changed: UriSet; readonly all: UriSet; readonly removed: readonly string[]; kept: number };

/** What has changed in the lists of a file: what they tell, and what is only in the file, or only in them. */
async function listChanges({ source, files, sinceOf, onProblem, onUnread }: Update, path: string): Promise<Changes> {
  const have = new UriSet();
  for await (const record of readRecords(path)) have.add(uriOf(record));
  const [all, changed] = [new UriSet(), new UriSet()];
  // Of a list that cannot be read now, what is there stays.
  const unread = new Set<string>();
  for (const { at, mayLack } of files.units)
    try {
      for (const id of await idsOf(source, at)) {
        all.add(`${at}/${id}`);
        if (!have.has(`${at}/${id}`)) changed.add(`${at}/${id}`);
      }
      for (const id of await idsOf(source, at, sinceOf(at))) changed.add(`${at}/${id}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === 404 && mayLack === true) continue;
      unread.add(at);
      onUnread(at);
      onProblem({ uri: at, status: error.status ?? null, reason: error.message });
    }
  const removed: string[] = [];
  for await (const record of readRecords(path)) {
    const uri = uriOf(record);
    if (all.has(uri)) continue;
    if (unread.has(splitUri(uri).list)) all.add(uri);
    else removed.push(uri);
  }
  return { changed, all, removed, kept: have.size };
}

/**
 * Writes what was read again, and of the rest what is there already. Where a node has changed, its siblings are read too: their positions have
 * moved, which no list tells, and all of them are told to have changed, since positions of one list go together.
 */
async function writeChanged(
  { source, files, onProblem, onChanged }: Update,
  path: string,
  { changed, all }: Changes,
  writer: LinesWriter,
  write: (page: readonly JsonObject[], changed?: readonly JsonObject[]) => Promise<void>,
): Promise<void> {
  const before = new Map<string, string>();
  for await (const { bytes, at } of readLines(path)) {
    const uri = uriOf(recordOf(bytes, path, at));
    if (changed.has(uri)) before.set(uri, digestOf(bytes));
  }
  const touched = new Set<string>();
  // What was deleted since it was listed is in the list no more: were it, the feed would not be believed, and no other list tells of it again.
  const onUnread = (problem: Problem): void => {
    if (problem.status === 404) all.delete(problem.uri);
    onProblem(problem);
  };
  const read = async (uris: UriSet, isOther: (record: JsonObject) => boolean): Promise<void> => {
    for (const { at } of files.units)
      for await (const page of readThese(source, at, uris.idsBelow(at), { onProblem: onUnread })) {
        const others = page.filter(isOther);
        for (const record of others) touched.add(aboveOf(record) ?? 'of no tree');
        await write(page, others);
      }
  };
  const equal = new UriSet();
  await read(changed, (record) => {
    const isOther = before.get(uriOf(record)) !== digestOf(JSON.stringify(record));
    if (!isOther) equal.add(uriOf(record));
    return isOther;
  });
  const siblings = new UriSet();
  let waiting: Buffer[] = [];
  for await (const { bytes, at } of readLines(path)) {
    const record = recordOf(bytes, path, at);
    const uri = uriOf(record);
    const isTouched = touched.has(aboveOf(record) ?? 'in no tree');
    if (!all.has(uri)) continue;
    if (changed.has(uri)) {
      if (isTouched && equal.has(uri)) await onChanged(files.file, [record]);
      continue;
    }
    if (isTouched) siblings.add(uri);
    else waiting.push(bytes);
    if (waiting.length < 500) continue;
    await writer.writeLines(waiting);
    waiting = [];
  }
  await writer.writeLines(waiting);
  await read(siblings, () => true);
}

const digestOf = (text: string | Buffer): string => createHash('sha1').update(text).digest('base64');
