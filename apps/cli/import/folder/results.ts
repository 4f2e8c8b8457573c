// What became of the files of a folder, as the report, --json and the state tell it.
import type { PassedOver } from './inventory.ts';

/** Something wrong in a file; `line` where it is known. */
export type FileFault = { readonly line: number | null; readonly text: string };

/** What became of one file. */
export type FileResult = {
  readonly file: string;
  readonly sha256: string;
  readonly type: string;
  /** Uri of the repository. */
  readonly repository: string;
  /** `valid`: could be imported, with --only-validate; `clashing`: an identifier of it is taken; `waiting`: not tried. */
  readonly status: 'imported' | 'valid' | 'failed' | 'clashing' | 'waiting';
  /** Uri of its job. */
  readonly job: string | null;
  /** What its reader made of it, as the log says: `resource 1, archival_object 12`; null where that is not known. */
  readonly read: string | null;
  /** How many records it made, by kind; those that were there already are not among them. */
  readonly created: { readonly [kind: string]: number };
  /** Uris of what it made: trees' roots first, at most a hundred. */
  readonly links: readonly string[];
  readonly faults: readonly FileFault[];
  /** Lines of what has no place in the records, as many as the log lists; how many there are in all. */
  readonly leftOut: readonly string[];
  readonly leftOutTotal: number;
  /** Why nothing was made of it. */
  readonly nothing: string | null;
  /** Imported by an earlier run. */
  readonly isEarlier?: true;
};

/** An identifier that two files give, or that a record of the service has. */
export type Clash = {
  /** The rule of uniqueness: `resource.identifier`. */
  readonly rule: string;
  readonly value: string;
  /** Uri of the repository. */
  readonly repository: string;
  /** The files, one as often as it gives the identifier. */
  readonly files: readonly string[];
  /** Uri of the record that has it; null where nobody, or one that is not shown, has. */
  readonly record: string | null;
  readonly isInService: boolean;
};

/** The account of a run. */
export type FolderOutcome = {
  readonly ok: boolean;
  readonly folder: string;
  /** Address of the service. */
  readonly service: string;
  readonly started: string;
  readonly seconds: number;
  readonly onlyValidated: boolean;
  readonly files: readonly FileResult[];
  readonly clashes: readonly Clash[];
  readonly passedOver: readonly PassedOver[];
  /** Why the run ended before its end. */
  readonly stopped: string | null;
};
