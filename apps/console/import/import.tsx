// Importing: files are dropped or chosen, it is said what they are, and a job checks or imports them. The job is then followed in its own view.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fileType } from '../../../libs/domain/formats/file-type.ts';
import { beginningBytes } from '../../../libs/domain/formats/reading/beginning.ts';
import type { Json } from '../../../libs/domain/json.ts';
import { isObject, textOf } from '../../../libs/domain/json.ts';
import { Fault, Instead, useAsked } from '../asking.tsx';
import { DropFiles } from '../drop.tsx';
import { useGoingOn } from '../going-on.ts';
import { mayStart } from '../jobs/may-run.ts';
import { NoRepository } from '../no-repository.tsx';
import { RepositoryChoice } from '../repository-choice.tsx';
import { chosenRepository, readRepositories, repositories } from '../repositories.ts';
import { useTitle } from '../title.ts';
import { number, t } from '../words.ts';
import { Sending } from './sending.tsx';
import type { SheetFile } from './sheet.tsx';
import { Sheet, sheetFormat } from './sheet.tsx';
import { startJob } from './start-job.ts';
import { s } from './words.ts';

/** A file with its import type, and how it is written where it is a sheet; null: that cannot be told, it is none. */
type Chosen = { readonly file: File; readonly type: string | null; readonly sheet: SheetFile['format'] | null };

/** What was chosen: files that go together, or a sheet, which goes by itself. */
type Taken = { readonly files: readonly Chosen[]; readonly sheet: SheetFile | null };
const nothing: Taken = { files: [], sheet: null };

/** The view of an import. */
export function ImportView(): JSX.Element {
  const [fault, setFault] = useState<unknown>(null);
  const start = (): void => {
    setFault(null);
    readRepositories().catch(setFault);
  };
  useEffect(start, []);
  useTitle(t('nav_import'));
  if (fault !== null || repositories.value === undefined)
    return <Instead title={t('nav_import')} fault={fault} again={start} />;
  const repository = chosenRepository(true);
  return (
    <>
      <div class="head">
        <h1>{t('nav_import')}</h1>
        <RepositoryChoice chosen={repository} all={false} />
      </div>
      {repository === null ? (
        <NoRepository />
      ) : mayStart('import_job', repository) ? (
        <Import key={repository} repository={repository} />
      ) : (
        <p class="empty">{t('import_denied')}</p>
      )}
    </>
  );
}

function Import({ repository }: { readonly repository: string }): JSX.Element {
  const types = useAsked(`${repository}/jobs/import_types`);
  const [{ files, sheet }, setTaken] = useState<Taken>(nothing);
  // As it is when files have been read that were waited for.
  const taken = useRef(nothing);
  const put = (next: Taken): void => {
    taken.current = next;
    setTaken(next);
  };
  const [type, setType] = useState('');
  const [passed, setPassed] = useState<readonly File[]>([]);
  const [isSending, setSending] = useState(false);
  const goOn = useGoingOn();
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    if (files.length === 0 && sheet === null) return undefined;
    // What was chosen is lost with the page.
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [files.length, sheet]);
  const take = async (list: readonly File[]): Promise<void> => {
    setFault(null);
    const read = await Promise.all(list.map(chosen));
    const found = read.find((each) => each.sheet !== null);
    // Sheets go by themselves: a job takes one. What is not taken, or no longer, is told.
    const before = taken.current;
    const sheets = before.sheet === null ? [] : [before.sheet.file];
    if (found?.sheet != null) {
      setPassed([...before.files.map(({ file }) => file), ...sheets, ...list.filter((file) => file !== found.file)]);
      return put({ files: [], sheet: { file: found.file, format: found.sheet } });
    }
    setPassed(sheets);
    const all = [...before.files, ...read];
    put({ files: all, sheet: null });
    setType(all.find((each) => each.type !== null)?.type ?? '');
  };
  const send = async (onlyValidate: boolean): Promise<void> => {
    setSending(true);
    setFault(null);
    try {
      const filenames = files.map(({ file }) => file.name);
      const job = { jsonmodel_type: 'import_job', import_type: type, filenames };
      const uri = await startJob(
        repository,
        onlyValidate ? { ...job, only_validate: '1' } : job,
        files.map(({ file }) => file),
      );
      put(nothing);
      goOn(`/console/job${uri}`);
    } catch (error) {
      setFault(error);
      setSending(false);
    }
  };
  const kinds = new Set(files.map((each) => each.type));
  return (
    <>
      <DropFiles says={t('drop')} accept=".xml,.csv,.xlsx" isMany onFiles={(list) => void take(list).catch(setFault)} />
      {types.fault !== null && <Fault fault={types.fault} again={types.again} />}
      {fault !== null && files.length === 0 && <Fault fault={fault} />}
      {passed.length > 0 && (
        <p class="hint" role="status">
          {s('passed')} <bdi>{passed.map(({ name }) => name).join(', ')}</bdi>
        </p>
      )}
      {sheet !== null && (
        <Sheet
          key={`${sheet.file.name} ${sheet.file.lastModified}`}
          repository={repository}
          sheet={sheet}
          onRemove={() => {
            put({ files, sheet: null });
            setPassed([]);
          }}
        />
      )}
      {files.length > 0 && (
        <form
          class="import"
          onSubmit={(event) => {
            event.preventDefault();
            void send(true);
          }}
        >
          <ul class="files" aria-label={t('files')}>
            {files.map(({ file, type: own }, index) => (
              <li key={`${file.name} ${index}`}>
                <bdi>{file.name}</bdi>{' '}
                <span class="soft">
                  {number(Math.ceil(file.size / 1024))} KB ·{' '}
                  {own === null ? t('type_unknown') : nameOf(types.value, own)}
                </span>
                <button
                  type="button"
                  aria-label={t('remove', { name: file.name })}
                  onClick={() => put({ files: files.filter((_, other) => other !== index), sheet })}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
          {kinds.size > 1 && (
            <p class="hint" role="status">
              {t('types_differ')}
            </p>
          )}
          <label class="choice">
            <span>{t('import_type')}</span>
            <select required value={type} onChange={(event) => setType(event.currentTarget.value)}>
              <option value="">{t('choose')}</option>
              {listOf(types.value).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          {fault !== null && <Fault fault={fault} />}
          <div class="buttons">
            <button class="main" disabled={isSending || type === ''}>
              {t('validate')}
            </button>
            <button type="button" disabled={isSending || type === ''} onClick={() => void send(false)}>
              {t('import_now')}
            </button>
          </div>
          {isSending ? <Sending /> : <p class="soft">{t('validate_more')}</p>}
        </form>
      )}
    </>
  );
}

/** The types on offer, with what the service says of each. */
const listOf = (value: Json | undefined): readonly (readonly [name: string, label: string])[] =>
  Array.isArray(value)
    ? value.filter(isObject).map((each) => {
        const name = textOf(each, 'name') ?? '';
        const about = textOf(each, 'description') ?? '';
        return [name, about === '' ? name : `${name}: ${about}`] as const;
      })
    : [];

const nameOf = (value: Json | undefined, type: string): string =>
  listOf(value).find(([name]) => name === type)?.[1] ?? type;

/** What a file is by its beginning. */
async function chosen(file: File): Promise<Chosen> {
  const beginning = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer());
  return { file, type: fileType(beginning, file.name), sheet: sheetFormat(beginning) };
}
