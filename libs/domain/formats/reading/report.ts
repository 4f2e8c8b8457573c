// What a reader of a document did with it: how many records it made, and what of the document is in none of them.
import type { XmlNode } from '../xml/tree.ts';
import { attributeOf, isElement, textContent } from '../xml/tree.ts';

/** Something of the document that no record holds. `text` is its beginning, at most 200 characters. */
export type DroppedPart = {
  readonly line: number;
  readonly element: string;
  readonly reason: string;
  readonly text: string;
};

/** A cell of a sheet that cannot be read. */
export type SheetFault = { readonly line: number; readonly column: string; readonly message: string };

/** Parts left out of elements of one name for one reason. */
type DroppedSort = { readonly element: string; readonly reason: string; readonly count: number };

/**
 * The account of one document; `dropped` lists the first parts left out, `droppedTotal` counts all, and `droppedSorts` all of each sort. `faults`: cells of a sheet that cannot
 * be read; the records are then those of the other rows, to be checked and not to be stored. `lines`: of a sheet, the row of each record.
 */
export type ImportReport = {
  readonly records: Readonly<Record<string, number>>;
  readonly dropped: readonly DroppedPart[];
  readonly droppedTotal: number;
  readonly droppedSorts: readonly DroppedSort[];
  readonly faults?: readonly SheetFault[];
  readonly lines?: readonly number[];
  /** Why a document that says something gave no record. */
  readonly emptyBecause?: string;
};

/**
 * A report that says why nothing was made of so many parts of a document: `usual`, unless something was left out for a reason. What `decides`
 * says more than details that were left out before it.
 */
export function sayingWhy(
  report: ImportReport,
  parts: number,
  usual: string,
  decides: (part: DroppedPart) => boolean,
): ImportReport {
  if (parts === 0 || Object.keys(report.records).length > 0) return report;
  const first = report.dropped.find(decides) ?? report.dropped[0];
  return {
    ...report,
    emptyBecause: first === undefined ? usual : `${first.reason} (line ${first.line}, ${first.element})`,
  };
}

/** Collects a report while a document is read. */
export type ReportBuilder = {
  count(kind: string): void;
  /** Notes a node that is left out, by its text or else by the address it has; one with neither is not worth an entry, unless `always`. */
  drop(node: XmlNode, reason: string, always?: boolean): void;
  /** Notes text or an attribute value that is left out. */
  dropText(line: number, element: string, text: string, reason: string): void;
  /** The same where it stands for the first time; what a document says at each of its parts (`label="Dates"`) is told once. */
  dropTextOnce(line: number, element: string, text: string, reason: string): void;
  report(): ImportReport;
};

const shownCharacters = 200;
// So that a document of nothing but different labels is not kept in memory.
const mostTold = 10_000;
// Nor one of nothing but different elements: what comes behind so many sorts is counted in the total alone.
const mostSorts = 1000;

/**
 * Makes a builder that lists at most `limit` parts, and of one sort at most a tenth of that: what a file says in each of its records (its number) leaves
 * room for what it says in one.
 */
export function createReportBuilder(limit = 1000): ReportBuilder {
  const records: Record<string, number> = {};
  const dropped: DroppedPart[] = [];
  const sorts = new Map<string, { element: string; reason: string; count: number }>();
  const mostOfSort = Math.ceil(limit / 10);
  let droppedTotal = 0;
  const told = new Set<string>();
  const add = (line: number, element: string, text: string, reason: string): void => {
    droppedTotal += 1;
    const key = JSON.stringify([element, reason]);
    const sort = sorts.get(key) ?? { element, reason, count: 0 };
    sort.count += 1;
    if (sort.count === 1 && sorts.size < mostSorts) sorts.set(key, sort);
    if (dropped.length < limit && sort.count <= mostOfSort)
      dropped.push({ line, element, reason, text: text.slice(0, shownCharacters) });
  };
  const dropText: ReportBuilder['dropText'] = (line, element, text, reason) => {
    const trimmed = text.trim();
    if (trimmed !== '') add(line, element, trimmed, reason);
  };
  return {
    count(kind) {
      records[kind] = (records[kind] ?? 0) + 1;
    },
    drop(node, reason, always = false) {
      const text = textContent(node) || addressIn(node);
      if (text !== '' || always) add(node.line, node.name, text, reason);
    },
    dropText,
    dropTextOnce(line, element, text, reason) {
      const key = JSON.stringify([element, text, reason]);
      if (told.has(key)) return;
      if (told.size < mostTold) told.add(key);
      dropText(line, element, text, reason);
    },
    report: () => ({ records: { ...records }, dropped: [...dropped], droppedTotal, droppedSorts: [...sorts.values()] }),
  };
}

/** The first address in a node; '' where there is none. */
function addressIn(node: XmlNode): string {
  const own = attributeOf(node, 'href');
  if (own !== undefined) return own;
  for (const child of node.children) {
    const inner = isElement(child) ? addressIn(child) : '';
    if (inner !== '') return inner;
  }
  return '';
}

/** Notes what an element has beside its parts: children that are not among the names, and text between them. */
export function dropOthers(report: ReportBuilder, node: XmlNode, names: readonly string[]): void {
  for (const child of node.children) {
    if (!isElement(child)) report.dropText(node.line, node.name, child, `text of ${node.name} outside its parts`);
    else if (!names.includes(child.name)) report.drop(child, `not imported inside ${node.name}`);
  }
}
