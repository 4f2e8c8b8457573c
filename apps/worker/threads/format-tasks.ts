// Thread task of format imports: reads one file from the main thread piece by piece, and hands back its records as JSON text.
import type { MessagePort } from 'node:worker_threads';
import { keyText } from '#domain/batch-import/index-block.ts';
import type { SharedUriTable } from '#domain/batch-import/uri-table.ts';
import { openUriTable } from '#domain/batch-import/uri-table.ts';
import { importFormats } from '#domain/formats/import-types.ts';
import type { AssessmentLookups, ImportAbout } from '#domain/formats/define-import.ts';
import type { ImportReport } from '#domain/formats/reading/report.ts';
import { keysOf } from '#domain/checking/split.ts';
import { subject } from '#domain/kinds/subject.ts';
import { fail } from '#domain/errors.ts';
import { barcodeText, profileText } from '#store/batch-import/lookups.ts';
import type { SharedLists } from './batch-tasks.ts';
import { enumerationsOf } from './batch-tasks.ts';
import { openExchange } from './exchange.ts';

/** What a conversion is told. `labels`: values of controlled lists by lower-case label. */
export type ConvertAbout = {
  readonly importType: string;
  readonly repoId: number;
  readonly importId: string;
  readonly today: string;
  readonly switches: ImportAbout['switches'];
  readonly eadAgents: ImportAbout['eadAgents'];
  readonly lists: SharedLists;
  readonly labels: { readonly [list: string]: { readonly [label: string]: string } };
  /** What readLookups gave. */
  readonly lookups: SharedUriTable;
  /** Only where assessments are imported. */
  readonly assessments?: AssessmentLookups;
};

const pieceCharacters = 1_000_000;

/** Converts one file. The port is closed at the end; throws `import_failed` as the format's reader does. */
export async function convertFile(payload: {
  readonly port: MessagePort;
  readonly about: ConvertAbout;
}): Promise<ImportReport> {
  const { port, about } = payload;
  const format = importFormats.get(about.importType);
  if (format === undefined) throw fail('import_failed', `No suitable converter found for ${about.importType}`);
  const { chunks, give } = openExchange(port);
  try {
    const reading = format.read(chunks(), aboutOf(about));
    let text = '';
    for (;;) {
      const step = await reading.next();
      if (step.done !== true) text += `${text === '' ? '' : ',\n'}${JSON.stringify(step.value)}`;
      if (text !== '' && (step.done === true || text.length >= pieceCharacters)) {
        await give(Buffer.from(text));
        text = '';
      }
      if (step.done === true) return step.value;
    }
  } finally {
    port.close();
  }
}

function aboutOf(about: ConvertAbout): ImportAbout {
  const lists = enumerationsOf(about.lists);
  const lookups = openUriTable(about.lookups);
  const uriFor = (key: string, uri: (id: number) => string): string | undefined => {
    const found = lookups.get(key);
    return found === null ? undefined : uri(found.id);
  };
  return {
    repositoryUri: `/repositories/${about.repoId}`,
    importId: about.importId,
    today: about.today,
    switches: about.switches,
    eadAgents: about.eadAgents,
    ...(about.assessments === undefined ? {} : { assessments: about.assessments }),
    isEnumerationValue: (list, value) => lists.get(list)?.has(value) ?? false,
    enumerationValueForLabel: (list, label) =>
      labelled(about.labels[list], label, (value) => lists.get(list)?.has(value) ?? false),
    isAuthorityIdTaken: (body) => {
      const keys = keysOf(subject, body, null, null);
      const idBy = (rule: string): number | undefined => {
        const key = keys.find((each) => each.rule === rule);
        return key === undefined ? undefined : lookups.get(keyText(key))?.id;
      };
      const owner = idBy('subject.authority_id');
      return owner !== undefined && owner !== idBy('subject.terms');
    },
    topContainerUri: (barcode) =>
      uriFor(barcodeText(barcode), (id) => `/repositories/${about.repoId}/top_containers/${id}`),
    containerProfileUri: (name) => uriFor(profileText(name), (id) => `/container_profiles/${id}`),
  };
}

/** The value with this label, where the list of this database still has it. */
function labelled(
  labels: { readonly [label: string]: string } | undefined,
  label: string,
  isValue: (value: string) => boolean,
): string | undefined {
  const key = label.toLowerCase();
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  return value !== undefined && isValue(value) ? value : undefined;
}
