// Checking the records of a plan as the API would, before anything is written: all of their faults, by row and column.
import { kindNamed } from '../../addresses.ts';
import { Failure } from '../../errors.ts';
import { textOf } from '../../json.ts';
import type { PrepareContext } from '../../checking/context.ts';
import { prepare } from '../../checking/prepare.ts';
import { recordFaults } from '../record-faults.ts';
import type { SheetFault } from '../rows.ts';
import { columnOf } from './draft.ts';
import type { LoadPlan } from './plan.ts';

/** The plan with the faults of its records. A cell that is wrong already is not told twice. */
export function checkPlan(plan: LoadPlan, preparing: PrepareContext): LoadPlan {
  const key = ({ row, column }: SheetFault): string => `${row}\n${column}`;
  const told = new Set(plan.faults.map(key));
  const found = plan.records.flatMap(({ record, row, columns }): readonly SheetFault[] => {
    try {
      prepare(kindNamed(textOf(record, 'jsonmodel_type') ?? ''), record, preparing);
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return recordFaults(error, row, (path) => columnOf(columns, path));
    }
  });
  return { ...plan, faults: [...plan.faults, ...found.filter((fault) => !told.has(key(fault)))] };
}
