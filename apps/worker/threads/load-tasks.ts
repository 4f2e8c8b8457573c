// Thread task of loading spreadsheets: what the rows amount to, and every fault of them.
import { randomBytes } from 'node:crypto';
import { preparingOf } from '#domain/batch-import/block.ts';
import type { CodedSheet } from '#domain/spreadsheets/coded-sheet.ts';
import type { ListLabels } from '#domain/spreadsheets/controlled.ts';
import { controlledBy } from '#domain/spreadsheets/controlled.ts';
import { planArchivalObjects } from '#domain/spreadsheets/load/archival-objects.ts';
import { checkPlan } from '#domain/spreadsheets/load/check.ts';
import { planDigitalObjects } from '#domain/spreadsheets/load/digital-objects.ts';
import type { LoadFacts } from '#domain/spreadsheets/load/facts.ts';
import type { LoadPlan, LoadTarget, LoadType } from '#domain/spreadsheets/load/plan.ts';
import type { SharedLists } from './batch-tasks.ts';
import { enumerationsOf } from './batch-tasks.ts';

/** What a plan is made from. `publishDefault`: the flag of what says nothing of it. */
export type PlanPayload = {
  readonly loadType: LoadType;
  readonly sheet: CodedSheet;
  readonly facts: LoadFacts;
  readonly target: LoadTarget;
  readonly lists: SharedLists;
  readonly labels: ListLabels;
  readonly publishDefault: boolean;
};

/** Plans the load of a sheet and checks the records that it makes. */
export function planSheetLoad({
  loadType,
  sheet,
  facts,
  target,
  lists,
  labels,
  publishDefault,
}: PlanPayload): LoadPlan {
  const enumerations = enumerationsOf(lists);
  const newId = (): string => randomBytes(16).toString('hex');
  const input = {
    sheet,
    facts,
    target,
    newId,
    lists: {
      value: controlledBy(enumerations, labels),
      isOpen: (list: string) => enumerations.get(list)?.editable === true,
    },
  };
  const plan = loadType === 'ao' ? planArchivalObjects(input) : planDigitalObjects(input);
  return checkPlan(
    plan,
    preparingOf({ repoId: target.repoId, kindNames: [], enumerations, publishDefault, newHexId: newId }),
  );
}
