// What loading a sheet amounts to: the records of a batch, what is linked to archival objects that are there, and what the report tells.
// Everything that can be known of the sheet by itself is checked here; nothing is written where a fault is found.
import { archivalObject } from '../../kinds/archival_object.ts';
import { kindNamed, uriOf } from '../../addresses.ts';
import type { CodedSheet } from '../coded-sheet.ts';
import type { SheetFault } from '../rows.ts';
import type { MadeRecord } from './book.ts';
import type { LoadRecord } from './draft.ts';
import type { LoadFacts, SheetAgentKind } from './facts.ts';
import type { KnownHeadings } from './headings.ts';
import type { LoadLists, RowReader } from './row-reader.ts';

/** What a job loads, and where. */
export type LoadType = 'ao' | 'digital';

/** The resource of a load. `aoid`: the archival object beside which the rows with 1 go. `importId`: hex and dashes. */
export type LoadTarget = {
  readonly repoId: number;
  readonly resource: { readonly uri: string; readonly eadId: string | null };
  readonly aoid: number | null;
  readonly importId: string;
};

/** What plans are made from. */
export type LoadInput = {
  readonly sheet: CodedSheet;
  readonly facts: LoadFacts;
  readonly target: LoadTarget;
  readonly lists: LoadLists;
  readonly newId: () => string;
};

/** A row in the report: what it makes, `uri` temporary until it is stored. */
export type PlannedRow = {
  readonly row: number;
  readonly title: string;
  readonly uri: string;
  readonly refId: string | null;
};

/** A digital object to be added to an archival object that is there. */
export type Attachment = { readonly row: number; readonly componentId: number; readonly uri: string };

/** What is to be done; where there are faults, nothing. Notes are by row. */
export type LoadPlan = {
  /** The name of the sheet in its workbook; null where the file is CSV. */
  readonly sheet: string | null;
  readonly records: readonly LoadRecord[];
  readonly rows: readonly PlannedRow[];
  readonly attachments: readonly Attachment[];
  readonly made: readonly MadeRecord[];
  readonly notes: readonly { readonly row: number; readonly message: string }[];
  readonly faults: readonly SheetFault[];
};

/** Whether the row is for the resource of the job: its uri counts, and only where it is blank the EAD ID. */
export function checkResource(reader: RowReader, { resource }: LoadTarget): void {
  const [uri, ead] = [reader.text('res_uri'), reader.text('ead')];
  if (uri !== undefined && uri !== resource.uri)
    reader.wrong('res_uri', `${uri} is not the resource of the job, ${resource.uri}`);
  if (uri !== undefined) return;
  if (ead === undefined) reader.wrong('res_uri', 'Is required, or ead');
  else if (ead !== resource.eadId) reader.wrong('ead', `${ead} is not the EAD ID of the resource of the job`);
}

/** The agents and subjects that were looked up. */
export function knownHeadings({ agents, subjectIds }: LoadFacts): KnownHeadings {
  const ids = new Map<string, string>();
  const headers = new Map<string, string[]>();
  for (const { kind, id, header } of agents) {
    const uri = uriOfAgent(kind, id);
    ids.set(`${kind}/${id}`, uri);
    const alike = headers.get(`${kind}/${header}`) ?? [];
    headers.set(`${kind}/${header}`, [...alike, uri]);
  }
  return {
    agent: (kind, id) => ids.get(`${kind}/${id}`),
    agents: (kind, header) => headers.get(`${kind}/${header}`) ?? [],
    subject: (id) => (subjectIds.has(id) ? `/subjects/${id}` : undefined),
  };
}

const uriOfAgent = (kind: SheetAgentKind, id: number): string => uriOf(kindNamed(kind), id, null);

/** The uri of an archival object of the repository of the load. */
export const componentUri = (id: number, { repoId }: LoadTarget): string => uriOf(archivalObject, id, repoId);
