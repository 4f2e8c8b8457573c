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

/** Checks all rows. `today` is the day from which new containers are where the rows say. */
export function planLinks(
  rows: readonly CodedRow[],
  facts: LinkerFacts,
  controlled: Controlled,
  today: string,
): LinkPlan {
  const faults: SheetFault[] = [];
  const notes: string[] = [];
  const containers = new Map<
    string,
    {
      readonly row: number;
      readonly given: Map<string, string>;
      readonly type: string | null;
      readonly indicator: string;
    }
  >();
  const barcodes = new Map<string, { readonly row: number; readonly key: string }>();
  const childBarcodes = new Map<string, number>();
  const links = rows.flatMap(({ row, cells }): readonly ContainerLink[] => {
    const before = faults.length;
    const wrong = (column: string, message: string): void => void faults.push({ row, column, message });
    const valueOf = (column: string, list: string): string | null => {
      const text = cells.get(column);
      if (text === undefined) return null;
      const value = controlled(list, text);
      if (value === undefined) wrong(column, `${text} is no value of the list ${list}`);
      return value ?? null;
    };
    const known = (column: string, there: ReadonlySet<number>, what: string): void => {
      const text = cells.get(column);
      if (text !== undefined && !there.has(idOf(text) ?? -1)) wrong(column, `There is no ${what} ${text}`);
    };
    const refId = cells.get('ref_id');
    const componentId = facts.components.get(refId ?? '');
    if (refId === undefined) wrong('ref_id', 'Is required');
    else if (componentId === undefined) wrong('ref_id', `The resource has no archival object with the ref_id ${refId}`);
    const eadId = cells.get('ead_id');
    if (eadId === undefined) wrong('ead_id', 'Is required');
    else if (eadId !== facts.eadId) wrong('ead_id', `${eadId} is not the EAD ID of the resource of the job`);
    const instanceType = valueOf('instance_type', 'instance_instance_type');
    if (!cells.has('instance_type')) wrong('instance_type', 'Is required');
    if (instanceType === 'digital_object') wrong('instance_type', 'A container is no digital object');
    known('top_container_id', facts.containerIds, 'top container');
    known('location_id', facts.locationIds, 'location');
    known('container_profile_id', facts.profileIds, 'container profile');
    const type = valueOf('top_container_type', 'container_type');
    const indicator = cells.get('top_container_indicator');
    const id = cells.get('top_container_id');
    if ((indicator === undefined) === (id === undefined))
      wrong('top_container_indicator', 'Exactly one of top_container_indicator and top_container_id is needed');
    const key = pairKey(type, indicator ?? null);
    const barcode = cells.get('top_container_barcode');
    if (indicator !== undefined && id === undefined) {
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
    if (barcode !== undefined) {
      const other = barcodes.get(barcode) ?? { row, key };
      barcodes.set(barcode, other);
      if (id !== undefined)
        notes.push(`Row ${row}: top_container_barcode is only for containers that are made, and is left out`);
      else if (facts.barcodes.has(barcode)) wrong('top_container_barcode', `The barcode ${barcode} is in use`);
      else if (other.key !== key)
        wrong('top_container_barcode', `Row ${other.row} has the barcode ${barcode} for another container`);
    }
    const childType = valueOf('child_type', 'container_type');
    const childIndicator = cells.get('child_indicator');
    const childBarcode = cells.get('child_barcode');
    const hasChild = cells.has('child_type') && childIndicator !== undefined;
    if (!hasChild && (cells.has('child_type') || childIndicator !== undefined || childBarcode !== undefined))
      notes.push(`Row ${row}: a child needs both child_type and child_indicator, and is left out`);
    if (hasChild && childBarcode !== undefined) {
      const other = childBarcodes.get(childBarcode);
      childBarcodes.set(childBarcode, other ?? row);
      if (facts.childBarcodes.has(childBarcode)) wrong('child_barcode', `The barcode ${childBarcode} is in use`);
      else if (other !== undefined) wrong('child_barcode', `Row ${other} has the barcode ${childBarcode} as well`);
    }
    if (faults.length > before || componentId === undefined || instanceType === null) return [];
    const child = hasChild
      ? {
          type_2: childType ?? '',
          indicator_2: childIndicator,
          ...(childBarcode === undefined ? {} : { barcode_2: childBarcode }),
        }
      : {};
    return [{ row, componentId, container: id === undefined ? key : Number(id), instanceType, child }];
  });
  const made = [...containers].map(([key, { row, given, type, indicator }]) => ({
    key,
    row,
    body: containerBody(given, type, indicator, today),
  }));
  return { containers: faults.length > 0 ? [] : made, links: faults.length > 0 ? [] : links, faults, notes };
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
