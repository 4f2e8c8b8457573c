// What the rows of a sheet to load name, and what is there of it: the store looks all of it up at once.
import type { CodedRow } from '../coded-sheet.ts';

/** Kinds of agents by the beginning of their columns (contract trees-and-jobs 6.7). */
export const agentColumns = [
  ['people', 'agent_person'],
  ['families', 'agent_family'],
  ['corporate_entities', 'agent_corporate_entity'],
] as const;

/** A kind of agent that sheets name. */
export type SheetAgentKind = (typeof agentColumns)[number][1];

/** Agents that rows name, by id and by header. */
export type NamedAgents = {
  readonly kind: SheetAgentKind;
  readonly ids: readonly number[];
  readonly headers: readonly string[];
};

/** What is to be looked up. `components` name archival objects by ref_id or by id. */
export type LoadWanted = {
  readonly agents: readonly NamedAgents[];
  readonly subjectIds: readonly number[];
  readonly barcodes: readonly string[];
  readonly digitalObjectIds: readonly string[];
  readonly components: { readonly refIds: readonly string[]; readonly ids: readonly number[] };
};

/** A top container as look-ups find it. */
export type KnownContainer = {
  readonly uri: string;
  readonly type: string | null;
  readonly indicator: string | null;
  readonly barcode: string | null;
};

/** An archival object of the resource. */
export type KnownComponent = {
  readonly id: number;
  readonly refId: string;
  readonly title: string;
  readonly publish: boolean;
  readonly parentId: number | null;
};

/** What is there. `agents`: ids by kind, with the header that the agent is shown under; `used` are containers of the resource, the oldest first, `barcoded` those of the repository. */
export type LoadFacts = {
  readonly agents: readonly { readonly kind: SheetAgentKind; readonly id: number; readonly header: string }[];
  readonly subjectIds: ReadonlySet<number>;
  readonly used: readonly KnownContainer[];
  readonly barcoded: readonly KnownContainer[];
  readonly digitalObjectIds: ReadonlySet<string>;
  readonly components: readonly KnownComponent[];
};

/** The number that a cell says; null where it is none. */
export const idOf = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);

/** The archival object that a cell names by its uri or bare id; null where it names none of the repository. */
export function componentIdOf(text: string, repoId: number): number | null {
  const match = /^\/repositories\/(\d{1,9})\/archival_objects\/(\d{1,9})$/.exec(text);
  return match === null ? idOf(text) : Number(match[1]) === repoId ? Number(match[2]) : null;
}

const namingColumns = [
  ...agentColumns.flatMap(([prefix]) => [`${prefix}_agent_record_id`, `${prefix}_agent_header`]),
  'subject_record_id',
  'barcode',
  'digital_object_id',
  'ao_ref_id',
  'ao_uri',
];

/** What the rows name. `aoid` is the archival object beside which the job loads, where it names one. */
export function wantedByLoad(rows: readonly CodedRow[], repoId: number, aoid: number | null): LoadWanted {
  // The texts of columns that name something, by code without its number.
  const texts = new Map(namingColumns.map((code) => [code, new Set<string>()]));
  for (const { cells } of rows) for (const [code, text] of cells) texts.get(code.replace(/_\d+(?=_|$)/, ''))?.add(text);
  const of = (code: string): readonly string[] => [...(texts.get(code) ?? [])];
  const ids = (code: string): readonly number[] => of(code).flatMap((text) => idOf(text) ?? []);
  return {
    agents: agentColumns.map(([prefix, kind]) => ({
      kind,
      ids: ids(`${prefix}_agent_record_id`),
      headers: of(`${prefix}_agent_header`),
    })),
    subjectIds: ids('subject_record_id'),
    barcodes: of('barcode'),
    digitalObjectIds: of('digital_object_id'),
    components: {
      refIds: of('ao_ref_id'),
      ids: [...of('ao_uri').flatMap((text) => componentIdOf(text, repoId) ?? []), ...(aoid === null ? [] : [aoid])],
    },
  };
}
