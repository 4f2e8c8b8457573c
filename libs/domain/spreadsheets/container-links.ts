// What a filled-in template of top containers asks for (contract trees-and-jobs 6.8): containers to make, and archival objects to link to
// them. Every row is checked before anything is written.
import type { JsonObject } from '../json.ts';
import type { CodedRow } from './coded-sheet.ts';
import type { Controlled } from './controlled.ts';
import type { SheetFault } from './rows.ts';

/** What the rows name: what the store has to look up. */
export type LinkerWanted = {
  readonly refIds: readonly string[];
  readonly containerIds: readonly number[];
  readonly barcodes: readonly string[];
  readonly childBarcodes: readonly string[];
  readonly locationIds: readonly number[];
  readonly profileIds: readonly number[];
};

/** What is there of it. `components`: ids of the resource's archival objects by ref_id; `used`: containers of the resource by pairKey. */
export type LinkerFacts = {
  readonly eadId: string | null;
  readonly components: ReadonlyMap<string, number>;
  readonly used: ReadonlySet<string>;
  readonly containerIds: ReadonlySet<number>;
  readonly barcodes: ReadonlySet<string>;
  readonly childBarcodes: ReadonlySet<string>;
  readonly locationIds: ReadonlySet<number>;
  readonly profileIds: ReadonlySet<number>;
};

/** A container to be made, with the row that asked first. */
export type NewContainer = { readonly key: string; readonly row: number; readonly body: JsonObject };

/** A link to be made; `container` is an id, or the key of a new one. */
export type ContainerLink = {
  readonly row: number;
  readonly componentId: number;
  readonly container: number | string;
  readonly instanceType: string;
  readonly child: JsonObject;
};

/** What is to be done, what is wrong, and what is left out. Where anything is wrong, nothing is to be done. */
export type LinkPlan = {
  readonly containers: readonly NewContainer[];
  readonly links: readonly ContainerLink[];
  readonly faults: readonly SheetFault[];
  readonly notes: readonly string[];
};

/** By what containers of a resource are told apart. */
export const pairKey = (type: string | null, indicator: string | null): string => JSON.stringify([type, indicator]);

/** The columns that name something of the service. */
export function wantedOf(rows: readonly CodedRow[]): LinkerWanted {
  const texts = (code: string): readonly string[] => [...new Set(rows.flatMap(({ cells }) => cells.get(code) ?? []))];
  const ids = (code: string): readonly number[] => texts(code).flatMap((text) => idOf(text) ?? []);
  return {
    refIds: texts('ref_id'),
    containerIds: ids('top_container_id'),
    barcodes: texts('top_container_barcode'),
    childBarcodes: texts('child_barcode'),
    locationIds: ids('location_id'),
    profileIds: ids('container_profile_id'),
  };
}

const idOf = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);

/** What is gathered over all rows while they are checked, and what the checks ask. */
type Planning = {
  readonly facts: LinkerFacts;
  readonly controlled: Controlled;
  readonly faults: SheetFault[];
  readonly notes: string[];
  /** Containers to make, by type and indicator. */
  readonly containers: Map<string, MadeContainer>;
  readonly barcodes: Map<string, { readonly row: number; readonly key: string }>;
  readonly childBarcodes: Map<string, number>;
};

type MadeContainer = {
  readonly row: number;
  readonly given: Map<string, string>;
  readonly type: string | null;
  readonly indicator: string;
};

/** One row under check. `wrong` notes a fault of a column; `valueOf` gives the value of a list that a cell names, null where it has none. */
type CheckedRow = CodedRow & {
  readonly planning: Planning;
  wrong(column: string, message: string): void;
  valueOf(column: string, list: string): string | null;
};

/** Checks all rows. `today` is the day from which new containers are where the rows say. */
export function planLinks(
  rows: readonly CodedRow[],
  facts: LinkerFacts,
  controlled: Controlled,
  today: string,
): LinkPlan {
  const planning: Planning = {
    facts,
    controlled,
    faults: [],
    notes: [],
    containers: new Map(),
    barcodes: new Map(),
    childBarcodes: new Map(),
  };
  const links = rows.flatMap((row) => planLink(checkedRow(row, planning)) ?? []);
  const { faults, notes } = planning;
  if (faults.length > 0) return { containers: [], links: [], faults, notes };
  const containers = Array.from(planning.containers, ([key, { row, given, type, indicator }]) => ({
    key,
    row,
    body: containerBody(given, type, indicator, today),
  }));
  return { containers, links, faults, notes };
}

function checkedRow({ row, cells }: CodedRow, planning: Planning): CheckedRow {
  const wrong = (column: string, message: string): void => void planning.faults.push({ row, column, message });
  const valueOf = (column: string, list: string): string | null => {
    const text = cells.get(column);
    if (text === undefined) return null;
    const value = planning.controlled(list, text);
    if (value === undefined) wrong(column, `${text} is no value of the list ${list}`);
    return value ?? null;
  };
  return { row, cells, planning, wrong, valueOf };
}

/** The link that a row asks for; null where something is wrong with it. */
function planLink(checked: CheckedRow): ContainerLink | null {
  const { row, planning } = checked;
  const before = planning.faults.length;
  const componentId = checkComponent(checked);
  const instanceType = checkInstanceType(checked);
  checkKnown(checked);
  const container = checkContainer(checked);
  const child = checkChild(checked);
  if (planning.faults.length > before || componentId === undefined || instanceType === null) return null;
  return { row, componentId, container, instanceType, child };
}

/** The archival object of the row, by its ref_id. */
function checkComponent({ cells, planning: { facts }, wrong }: CheckedRow): number | undefined {
  const refId = cells.get('ref_id');
  const componentId = facts.components.get(refId ?? '');
  if (refId === undefined) wrong('ref_id', 'Is required');
  else if (componentId === undefined) wrong('ref_id', `The resource has no archival object with the ref_id ${refId}`);
  const eadId = cells.get('ead_id');
  if (eadId === undefined) wrong('ead_id', 'Is required');
  else if (eadId !== facts.eadId) wrong('ead_id', `${eadId} is not the EAD ID of the resource of the job`);
  return componentId;
}

function checkInstanceType({ cells, wrong, valueOf }: CheckedRow): string | null {
  const instanceType = valueOf('instance_type', 'instance_instance_type');
  if (!cells.has('instance_type')) wrong('instance_type', 'Is required');
  if (instanceType === 'digital_object') wrong('instance_type', 'A container is no digital object');
  return instanceType;
}

/** Whether what the row names by id is there. */
function checkKnown({ cells, planning: { facts }, wrong }: CheckedRow): void {
  const known = (column: string, there: ReadonlySet<number>, what: string): void => {
    const text = cells.get(column);
    if (text !== undefined && !there.has(idOf(text) ?? -1)) wrong(column, `There is no ${what} ${text}`);
  };
  known('top_container_id', facts.containerIds, 'top container');
  known('location_id', facts.locationIds, 'location');
  known('container_profile_id', facts.profileIds, 'container profile');
}

/** The container of the row: its id, or the key of one that is made for this row or an earlier one. */
function checkContainer(checked: CheckedRow): number | string {
  const { cells, wrong, valueOf } = checked;
  const type = valueOf('top_container_type', 'container_type');
  const indicator = cells.get('top_container_indicator');
  const id = cells.get('top_container_id');
  if ((indicator === undefined) === (id === undefined))
    wrong('top_container_indicator', 'Exactly one of top_container_indicator and top_container_id is needed');
  const key = pairKey(type, indicator ?? null);
  if (indicator !== undefined && id === undefined) gatherContainer(checked, key, type, indicator);
  if (id !== undefined) tellOfNew(checked);
  checkBarcode(checked, key, id !== undefined);
  return id === undefined ? key : Number(id);
}

/** A container to be made; rows that name the same one must agree on it. */
function gatherContainer(
  { row, cells, planning: { facts, containers }, wrong }: CheckedRow,
  key: string,
  type: string | null,
  indicator: string,
): void {
  if (facts.used.has(key))
    wrong(
      'top_container_indicator',
      `The resource has a container ${[type, indicator].filter(Boolean).join(' ')} already; name it by its top_container_id`,
    );
  const made = containers.get(key) ?? { row, given: new Map<string, string>(), type, indicator };
  containers.set(key, made);
  for (const column of ['top_container_barcode', 'location_id', 'container_profile_id']) {
    const text = cells.get(column);
    const other = made.given.get(column);
    if (text !== undefined && other !== undefined && other !== text)
      wrong(column, `Row ${made.row} has ${other} for the same container`);
    if (text !== undefined && other === undefined) made.given.set(column, text);
  }
}

/** What says of a container how it is made, and says nothing of one that is there: one line, as sheets made from the containers have all of it in each row. */
function tellOfNew({ row, cells, planning: { notes } }: CheckedRow): void {
  const told = ['top_container_type', 'top_container_barcode', 'location_id', 'container_profile_id'].filter((column) =>
    cells.has(column),
  );
  const verb = told.length === 1 ? 'is' : 'are';
  if (told.length > 0)
    notes.push(`Row ${row}: ${told.join(', ')} ${verb} only for containers that are made, and ${verb} left out`);
}

/** The barcode of a container that is made belongs to nothing else, here or in the repository. */
function checkBarcode(
  { row, cells, planning: { facts, barcodes }, wrong }: CheckedRow,
  key: string,
  hasId: boolean,
): void {
  const barcode = cells.get('top_container_barcode');
  if (barcode === undefined) return;
  const other = barcodes.get(barcode) ?? { row, key };
  barcodes.set(barcode, other);
  if (hasId) return;
  if (facts.barcodes.has(barcode)) wrong('top_container_barcode', `The barcode ${barcode} is in use`);
  else if (other.key !== key)
    wrong('top_container_barcode', `Row ${other.row} has the barcode ${barcode} for another container`);
}

/** The properties of the child in the sub-container; none where the row has no whole child. */
function checkChild({ row, cells, planning, wrong, valueOf }: CheckedRow): ContainerLink['child'] {
  const type = valueOf('child_type', 'container_type');
  const indicator = cells.get('child_indicator');
  const barcode = cells.get('child_barcode');
  if (!cells.has('child_type') || indicator === undefined) {
    if (cells.has('child_type') || indicator !== undefined || barcode !== undefined)
      planning.notes.push(`Row ${row}: a child needs both child_type and child_indicator, and is left out`);
    return {};
  }
  if (barcode !== undefined) {
    const other = planning.childBarcodes.get(barcode);
    planning.childBarcodes.set(barcode, other ?? row);
    if (planning.facts.childBarcodes.has(barcode)) wrong('child_barcode', `The barcode ${barcode} is in use`);
    else if (other !== undefined) wrong('child_barcode', `Row ${other} has the barcode ${barcode} as well`);
  }
  return { type_2: type ?? '', indicator_2: indicator, ...(barcode === undefined ? {} : { barcode_2: barcode }) };
}

function containerBody(
  given: ReadonlyMap<string, string>,
  type: string | null,
  indicator: string,
  today: string,
): JsonObject {
  const barcode = given.get('top_container_barcode');
  const location = given.get('location_id');
  const profile = given.get('container_profile_id');
  return {
    indicator,
    ...(type === null ? {} : { type }),
    ...(barcode === undefined ? {} : { barcode }),
    ...(location === undefined
      ? {}
      : { container_locations: [{ ref: `/locations/${Number(location)}`, status: 'current', start_date: today }] }),
    ...(profile === undefined ? {} : { container_profile: { ref: `/container_profiles/${Number(profile)}` } }),
  };
}
