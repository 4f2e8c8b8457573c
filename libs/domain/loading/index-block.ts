// First pass over a block of a folder of records: whose address each line has, so that clashes are told before anything is written, and what
// is no record: settings and addresses that were given up, which are few.
import { createFaultList } from '../batch-import/faults.ts';
import type { FaultReport } from '../batch-import/faults.ts';
import { numberedRecords } from '../batch-import/block.ts';
import { copyLine } from '../batch-import/copy-text.ts';
import { parseUri } from '../addresses.ts';
import { Failure } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { SettingType } from './lines.ts';
import { lineOf } from './lines.ts';

/** Columns of `addresses`. */
export const addressColumns = ['kind', 'id', 'repo_id', 'number', 'uri', 'name'] as const;
/** Columns of `deleted`. */
export const deletedColumns = ['uri', 'kind', 'id', 'at'] as const;

/** A setting and the number of its line. */
export type LoadedSetting = { readonly type: SettingType; readonly number: number; readonly record: JsonObject };

/** What is in a block: COPY texts of addresses, settings, and how many lines of which types come with other records. */
export type LoadIndex = {
  readonly addresses: Uint8Array;
  readonly deleted: Uint8Array;
  readonly settings: readonly LoadedSetting[];
  readonly parts: { readonly [type: string]: number };
  readonly faults: FaultReport;
};

/** Looks through a block. Lines that can be nothing go into the faults, at most `limit`. */
export function indexLoadBlock(bytes: Uint8Array, first: number, limit: number): LoadIndex {
  const faults = createFaultList(limit);
  const settings: LoadedSetting[] = [];
  const parts: { [type: string]: number } = {};
  let addresses = '';
  let deleted = '';
  for (const [index, numbered] of numberedRecords(bytes, first, true).entries()) {
    try {
      if (numbered instanceof Failure) throw numbered;
      const { record, number } = numbered;
      const line = lineOf(record, number);
      if (line.what === 'record') {
        const { kind, id, repoId } = line.address;
        addresses += copyLine([
          kind,
          id,
          repoId,
          number,
          String(record['uri']),
          line.kind.uniform === false ? line.kind.label(record) : null,
        ]);
      } else if (line.what === 'setting') settings.push({ type: line.type, number, record });
      else if (line.what === 'part') parts[line.type] = (parts[line.type] ?? 0) + 1;
      else {
        const address = parseUri(line.uri);
        deleted += copyLine([line.uri, address?.kind ?? '', address?.id ?? 0, line.at]);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      faults.add(error, first + index);
    }
  }
  const encoder = new TextEncoder();
  return {
    addresses: encoder.encode(addresses),
    deleted: encoder.encode(deleted),
    settings,
    parts,
    faults: faults.report(),
  };
}
