// The bad records of a batch that was refused, gathered for a report of all of them (contract trees-and-jobs, section 8: validate all
// records). Bounded in number and in size, since one file may be wrong in every record.
import { Failure } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, textOf } from '../json.ts';

/** One bad record: its number in the file from 1, what it says of itself (null: not known), and messages by property. */
export type Fault = {
  readonly record_number: number;
  readonly record_type: string | null;
  readonly record_uri: string | null;
  readonly record_title: string | null;
  readonly errors: { readonly [property: string]: Json };
};

/** Bad records in the order of the file. Not `complete`: the search ended at its limit, and there may be more. */
export type FaultReport = { readonly faults: readonly Fault[]; readonly complete: boolean };

/** Bad records as they are found. What is added of one record at several places becomes one fault. */
export type FaultList = {
  /** Adds the failure of a record; `number` counts from 0. */
  add(failure: Failure, number: number): void;
  /** Adds what another list has gathered. */
  addAll(report: FaultReport): void;
  /** Whether the limit is reached: nothing more is taken, so the search may end. */
  readonly isFull: boolean;
  report(): FaultReport;
};

/** Whether the failure is that of the batch and its records, not of the machinery. */
export const isFault = (error: unknown): error is Failure =>
  error instanceof Failure && (error.code === 'import_failed' || error.code === 'malformed_body');

/** How much of a fault there is room for, on the average, in characters of JSON. */
const charactersAtMost = 1000;

/** Makes a list of at most `limit` records, and of as many thousand characters. */
export function createFaultList(limit: number): FaultList {
  const faults = new Map<number, Fault>();
  let characters = 0;
  let isFull = false;
  const take = (fault: Fault): void => {
    const before = faults.get(fault.record_number);
    const size = JSON.stringify(before === undefined ? fault : fault.errors).length;
    // The first is taken whatever its size: without it the report would say nothing.
    if (
      isFull ||
      (before === undefined && faults.size >= limit) ||
      (faults.size > 0 && characters + size > limit * charactersAtMost)
    ) {
      isFull = true;
      return;
    }
    characters += size;
    faults.set(
      fault.record_number,
      before === undefined ? fault : { ...before, errors: { ...fault.errors, ...before.errors } },
    );
    isFull = faults.size >= limit;
  };
  return {
    add: (failure, number) => take(faultOf(failure, number)),
    addAll: (report) => {
      for (const fault of report.faults) take(fault);
      if (!report.complete) isFull = true;
    },
    get isFull() {
      return isFull;
    },
    report: () => ({
      faults: [...faults.values()].toSorted((a, b) => a.record_number - b.record_number),
      complete: !isFull,
    }),
  };
}

function faultOf(failure: Failure, number: number): Fault {
  const about: JsonObject = failure.code === 'import_failed' && isObject(failure.error) ? failure.error : {};
  const errors = about['errors'] ?? failure.error;
  return {
    record_number: number + 1,
    record_type: textOf(about, 'record_type') ?? null,
    record_uri: textOf(about, 'record_uri') ?? null,
    record_title: textOf(about, 'record_title') ?? null,
    errors: isObject(errors)
      ? defined(errors)
      : { record: [typeof errors === 'string' ? errors : JSON.stringify(errors)] },
  };
}

const defined = (errors: JsonObject): { readonly [property: string]: Json } =>
  Object.fromEntries(Object.entries(errors).map(([property, messages]) => [property, messages ?? null]));
