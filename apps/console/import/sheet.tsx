// A spreadsheet: what it is for, which collection it belongs to, and the job that checks or stores it (contract trees-and-jobs 6.3, 6.7).
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { textOf } from '../../../libs/domain/json.ts';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { codesRow } from '../../../libs/domain/spreadsheets/codes-row.ts';
import { Fault } from '../asking.tsx';
import { Combobox } from '../finding/combobox.tsx';
import { useGoingOn } from '../going-on.ts';
import { may } from '../session.ts';
import { number, t } from '../words.ts';
import { Sending } from './sending.tsx';
import { startJob } from './start-job.ts';
import { s } from './words.ts';

/** A file that is a sheet, and how it is written. */
export type SheetFile = { readonly file: File; readonly format: 'xlsx' | 'csv' };

// What a workbook begins with, as every zip does.
const zip = [0x50, 0x4b, 0x03, 0x04];

/** How a sheet is written; null: the file is none. Told by its first bytes. */
export function sheetFormat(beginning: Uint8Array): SheetFile['format'] | null {
  if (zip.every((byte, at) => beginning[at] === byte)) return 'xlsx';
  const text = new TextDecoder().decode(beginning).trimStart();
  // In what a row says before its first comma, as in templates; markup may speak of field codes too.
  return !text.startsWith('<') && text.split(/[\r\n]+/).some((row) => codesRow.test(row.split(',', 1)[0] ?? ''))
    ? 'csv'
    : null;
}

const purposes = ['load_ao', 'load_digital', 'update'] as const;
type Purpose = (typeof purposes)[number];

type Asking = { readonly repository: string; readonly sheet: SheetFile; readonly onRemove: () => void };

/** The form of a sheet. */
export function Sheet({ repository, sheet, onRemove }: Asking): JSX.Element {
  const offered = purposes.filter((each) => each === 'load_ao' || may('update_resource_record', repository));
  const [purpose, setPurpose] = useState<Purpose>('load_ao');
  const [typed, setTyped] = useState('');
  const [collection, setCollection] = useState<JsonObject | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const goOn = useGoingOn();
  const id = (textOf(collection ?? {}, 'uri') ?? '').split('/').at(-1) ?? '';
  const isReady = !isSending && (purpose === 'update' || id !== '');
  const send = async (isOnlyChecked: boolean): Promise<void> => {
    setSending(true);
    setFault(null);
    try {
      const job = jobOf(sheet, purpose, id, isOnlyChecked);
      const uri = await startJob(
        repository,
        job,
        [sheet.file],
        purpose === 'update' ? null : JSON.stringify({ rid: Number(id) }),
      );
      goOn(`/console/job${uri}`);
    } catch (error) {
      setFault(error);
      setSending(false);
    }
  };
  return (
    <form
      class="import"
      aria-label={s('sheet')}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void send(true);
      }}
    >
      <ul class="files" aria-label={t('files')}>
        <li>
          <bdi>{sheet.file.name}</bdi>{' '}
          <span class="soft">
            {number(Math.ceil(sheet.file.size / 1024))} KB · {s('sheet')}
          </span>
          <button type="button" aria-label={t('remove', { name: sheet.file.name })} onClick={onRemove}>
            ×
          </button>
        </li>
      </ul>
      <label class="choice">
        <span>{s('purpose')}</span>
        <select
          value={purpose}
          onChange={(event) => setPurpose(purposes.find((each) => each === event.currentTarget.value) ?? 'load_ao')}
        >
          {offered.map((each) => (
            <option key={each} value={each}>
              {s(each)}
            </option>
          ))}
        </select>
      </label>
      {purpose !== 'update' && (
        <>
          <Combobox
            id="collection"
            label={s('collection')}
            typed={typed}
            onType={(text) => {
              setTyped(text);
              setCollection(null);
            }}
            onChoose={(row) => {
              setCollection(row);
              setTyped(textOf(row, 'title') ?? '');
            }}
            repository={repository}
            types={['resource']}
          />
          <p class="hint" role="status">
            {collection === null
              ? s('collection_hint')
              : s('chosen', { title: `${textOf(collection, 'title') ?? ''} (${textOf(collection, 'uri') ?? ''})` })}
          </p>
        </>
      )}
      {fault !== null && <Fault fault={fault} />}
      <div class="buttons">
        <button class="main" disabled={!isReady}>
          {t('validate')}
        </button>
        <button type="button" disabled={!isReady} onClick={() => void send(false)}>
          {t('import_now')}
        </button>
      </div>
      {isSending ? <Sending /> : <p class="soft">{s('check_more')}</p>}
    </form>
  );
}

function jobOf({ file, format }: SheetFile, purpose: Purpose, id: string, isOnlyChecked: boolean): JsonObject {
  if (purpose === 'update') return { jsonmodel_type: 'bulk_archival_object_updater_job', dry_run: isOnlyChecked };
  return {
    jsonmodel_type: 'bulk_import_job',
    resource_id: id,
    filename: file.name,
    load_type: purpose === 'load_ao' ? 'ao' : 'digital',
    content_type: format,
    format,
    ...(isOnlyChecked ? { only_validate: 'true' } : {}),
  };
}
