// Thread task of printing: records of a tree come in as lines of JSON, the resource first, and the bytes of a PDF go out.
import type { MessagePort } from 'node:worker_threads';
import type { FindingAidSetting } from '#domain/formats/writing/finding-aid.ts';
import {
  componentLines,
  inventoryHead,
  printedTitle,
  resourceLines,
  titlePage,
} from '#domain/formats/printed-finding-aid/pdf/lines.ts';
import { languageOf } from '#domain/formats/printed-finding-aid/language.ts';
import type { TreeRecord } from '#domain/formats/writing/tree-stream.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import type { MissingScript } from '../printing/missing.ts';
import { createPrinter } from '../printing/printer.ts';
import { openExchange } from './exchange.ts';

/** What a document is printed with: a setting without its labels, which each thread reads for itself, and the bytes of a logo. */
export type PrintAbout = Omit<FindingAidSetting, 'label'> & { readonly logo: Uint8Array | null };

/** What was printed: pages, components, the scripts that the fonts lack, and whether the logo was one that can be shown. */
export type PrintReport = {
  readonly pages: number;
  readonly components: number;
  readonly missing: readonly MissingScript[];
  readonly logo: boolean;
};

const pieceBytes = 256 * 1024;

/** Prints one finding aid; memory holds a block of records and a page. The port is closed at the end. */
export async function printFindingAid({
  port,
  about,
}: {
  readonly port: MessagePort;
  readonly about: PrintAbout;
}): Promise<PrintReport> {
  const setting: FindingAidSetting = { ...about, label: readValueLabels() };
  const { chunks, give } = openExchange(port);
  try {
    let printer: ReturnType<typeof createPrinter> | undefined;
    let components = 0;
    for await (const chunk of chunks()) {
      // Written by print.ts: blocks of a tree.
      const block = JSON.parse(Buffer.from(chunk).toString('utf8')) as readonly TreeRecord[];
      for (const { depth, record } of block) {
        if (printer === undefined) {
          printer = createPrinter({ title: printedTitle(record), language: languageOf(record) });
          printer.titlePage(titlePage(record, setting), about.logo);
          for (const line of resourceLines(record, setting)) printer.line(line);
          continue;
        }
        if (components === 0) printer.line(inventoryHead);
        components += 1;
        for (const line of componentLines(record, depth, setting)) printer.line(line);
      }
      if (printer !== undefined && printer.waiting >= pieceBytes) await give(printer.take());
    }
    if (printer === undefined) throw new Error('a finding aid has a resource');
    const { pages, missing, logo } = await printer.end();
    await give(printer.take());
    return { pages, components, missing, logo };
  } finally {
    port.close();
  }
}
