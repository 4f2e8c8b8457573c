// `muniment import FOLDER --report FILE`: a folder as a whole, with one account of all of it.
import { resolve } from 'node:path';
import type { JsonObject } from '#domain/json.ts';
import type { Call } from '../environment.ts';
import { exitCodes, usage } from '../failure.ts';
import { importFolder, isInterrupted } from '../import/folder/import-folder.ts';
import type { FolderFile } from '../import/folder/inventory.ts';
import { count } from '../output.ts';
import { showProgress } from '../progress.ts';
import type { Repository } from '../repository.ts';
import { listRepositories } from '../repository.ts';

/** The options of a folder. */
export type FolderOptions = {
  readonly report?: string;
  readonly state?: string;
  readonly onlyValidate?: boolean;
  readonly leaveClashing?: boolean;
  readonly repositoriesByFolder?: boolean;
  readonly atOnce: number;
};

/** Imports the folder; gives the exit code. `repository`: where all of it goes, null where the folders in it say that. */
export async function importWithReport(
  call: Call,
  names: readonly string[],
  options: FolderOptions & { readonly report: string },
  repository: Repository | null,
): Promise<number> {
  const [name, ...more] = names;
  if (name === undefined || more.length > 0) throw usage('--report takes one folder.');
  const { cwd } = call.environment;
  const progress = showProgress(call.output);
  const report = resolve(cwd, options.report);
  try {
    const { outcome, ending } = await importFolder(
      call,
      {
        name,
        folder: resolve(cwd, name),
        report,
        ...(options.state === undefined ? {} : { state: resolve(cwd, options.state) }),
        onlyValidate: options.onlyValidate === true,
        leavesClashing: options.leaveClashing === true,
        repositoryOf: repository === null ? byFolder(await listRepositories(call.client)) : () => repository,
        atOnce: options.atOnce,
      },
      progress,
    );
    const of = (status: string): number => outcome.files.filter((file) => file.status === status).length;
    const clashes = outcome.clashes.length;
    call.output.result({ ...outcome, report } as unknown as JsonObject, [
      `${count(of('imported') + of('valid'))} of ${count(outcome.files.length)} files ${outcome.onlyValidated ? 'can be imported' : 'imported'}, ${count(of('failed'))} failed, ${count(of('clashing'))} with identifiers that clash (${count(clashes)}), ${count(of('waiting'))} not tried, ${count(outcome.passedOver.length)} something else: ${report}`,
      ...(clashes > 0 && of('imported') === 0 && options.leaveClashing !== true
        ? ['Nothing was imported by this run: mend the identifiers, or leave such files behind with --leave-clashing.']
        : []),
    ]);
    if (ending !== null) call.output.note(ending.message);
    if (isInterrupted(ending)) return exitCodes.interrupted;
    return outcome.ok ? exitCodes.done : exitCodes.failed;
  } finally {
    progress.end();
  }
}

/** The repository whose code is the name of the folder that a file is in, or why there is none. */
export const byFolder =
  (repositories: readonly Repository[]) =>
  ({ name }: FolderFile): Repository | string => {
    const [folder = '', ...below] = name.split('/');
    if (below.length === 0) return 'in no folder of a repository';
    const found = repositories.find(({ code }) => code.toLowerCase() === folder.toLowerCase());
    return found ?? `there is no repository ${folder}`;
  };
