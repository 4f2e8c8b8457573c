// What a reader of a document did with it: how many records it made, and what of the document is in none of them.
import type { XmlNode } from '../xml/tree.ts';
import { textContent } from '../xml/tree.ts';

/** Something of the document that no record holds. `text` is its beginning, at most 200 characters. */
export type DroppedPart = {
  readonly line: number;
  readonly element: string;
  readonly reason: string;
  readonly text: string;
};

/** The account of one document; `dropped` lists the first parts left out, `droppedTotal` counts all. */
export type ImportReport = {
  readonly records: Readonly<Record<string, number>>;
  readonly dropped: readonly DroppedPart[];
  readonly droppedTotal: number;
};

/** Collects a report while a document is read. */
export type ReportBuilder = {
  count(kind: string): void;
  /** Notes a node that is left out; a node without text is not worth an entry, unless `always`. */
  drop(node: XmlNode, reason: string, always?: boolean): void;
  /** Notes text or an attribute value that is left out. */
  dropText(line: number, element: string, text: string, reason: string): void;
  report(): ImportReport;
};

const shownCharacters = 200;

/** Makes a builder that lists at most `limit` parts. */
export function createReportBuilder(limit = 1000): ReportBuilder {
  const records: Record<string, number> = {};
  const dropped: DroppedPart[] = [];
  let droppedTotal = 0;
  const add = (line: number, element: string, text: string, reason: string): void => {
    droppedTotal += 1;
    if (dropped.length < limit) dropped.push({ line, element, reason, text: text.slice(0, shownCharacters) });
  };
  return {
    count(kind) {
      records[kind] = (records[kind] ?? 0) + 1;
    },
    drop(node, reason, always = false) {
      const text = textContent(node);
      if (text !== '' || always) add(node.line, node.name, text, reason);
    },
    dropText(line, element, text, reason) {
      const trimmed = text.trim();
      if (trimmed !== '') add(line, element, trimmed, reason);
    },
    report: () => ({ records: { ...records }, dropped: [...dropped], droppedTotal }),
  };
}
