// METS of a digital object: a description of each object and component, its files by use, and its structure (contract behaviour-exports
// 9). Valid where the reference's is not: ids are names, the kind of each location is told, empty parts are left out.
import type { JsonObject } from '../../json.ts';
import { objectsOf, textOf } from '../../json.ts';
import { writeDc } from '../dc/digital-object.ts';
import type { DigitalTree } from '../writing/digital-tree.ts';
import { publishedTree } from '../writing/digital-tree.ts';
import type { ExportContext } from '../writing/context.ts';
import { plainText } from '../writing/context.ts';
import { writeMods } from '../mods/digital-object.ts';
import { addressOf } from '../xml/any-uri.ts';
import { XmlWriter } from '../xml/writer.ts';

/** How objects and components are described inside. */
export type DescriptionForm = 'mods' | 'dc';

type File = { readonly id: string; readonly uri: string; readonly use: string };
type Item = {
  readonly id: string;
  readonly record: JsonObject;
  readonly depth: number;
  readonly files: readonly File[];
};

/** The document, ended by a newline. Refs of the object and of its components are resolved. */
export function digitalObjectMets(tree: DigitalTree, form: DescriptionForm, context: ExportContext): string {
  const { object, components } = context.includesUnpublished ? tree : publishedTree(tree);
  const items = [{ record: object, depth: 0 }, ...components].map(({ record, depth }) =>
    toItem(record, depth, context),
  );
  const xml = new XmlWriter().declaration();
  xml.open('mets', {
    xmlns: 'http://www.loc.gov/METS/',
    'xmlns:mods': 'http://www.loc.gov/mods/v3',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    'xmlns:xlink': 'http://www.w3.org/1999/xlink',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': 'http://www.loc.gov/METS/ https://www.loc.gov/standards/mets/mets.xsd',
  });
  writeHeader(xml, context);
  for (const item of items) {
    xml.open('dmdSec', { ID: item.id }).open('mdWrap', { MDTYPE: form.toUpperCase() }).open('xmlData');
    if (form === 'mods') writeMods(xml, item.record, context);
    else writeDc(xml, item.record, context);
    xml.close().close().close();
  }
  xml.element('amdSec', {});
  writeFiles(xml, items);
  writeStructure(xml, 'logical', items);
  writeStructure(xml, 'physical', withFiles(items));
  return `${xml.close().take()}\n`;
}

function toItem(record: JsonObject, depth: number, context: ExportContext): Item {
  // Objects and components count their ids apart.
  const id = `${depth === 0 ? 'object' : 'component'}-${(textOf(record, 'uri') ?? '').split('/').at(-1)}`;
  const files = objectsOf(record, 'file_versions').flatMap((version, index): readonly File[] => {
    const [uri, use] = [textOf(version, 'file_uri'), textOf(version, 'use_statement')];
    return uri === undefined
      ? []
      : [
          {
            id: `${id}-file-${index + 1}`,
            uri,
            use: use === undefined ? '' : context.label('file_version_use_statement', use),
          },
        ];
  });
  return { id, record, depth, files };
}

function writeHeader(xml: XmlWriter, { repository, now }: ExportContext): void {
  const [name, url] = [textOf(repository ?? undefined, 'name'), textOf(repository ?? undefined, 'url')];
  xml.open('metsHdr', { CREATEDATE: now.toISOString().replace(/\.\d+Z$/, 'Z') });
  xml.open('agent', { ROLE: 'CREATOR', TYPE: 'ORGANIZATION' }).element('name', {}, name);
  if (url !== undefined) xml.element('note', {}, url);
  xml.element('note', {}, 'Produced by Muniment').close().close();
}

function writeFiles(xml: XmlWriter, items: readonly Item[]): void {
  const files = items.flatMap((item) => item.files.map((file) => ({ ...file, group: item.id })));
  if (files.length === 0) return;
  xml.open('fileSec');
  for (const [use, group] of Map.groupBy(files, (file) => file.use)) {
    xml.open('fileGrp', { USE: use });
    for (const file of group)
      xml
        .open('file', { ID: file.id, GROUPID: file.group })
        .element('FLocat', { LOCTYPE: 'URL', 'xlink:type': 'simple', 'xlink:href': addressOf(file.uri) })
        .close();
    xml.close();
  }
  xml.close();
}

/** The items that have files, and what stands above them: a structure has one outermost division. */
function withFiles(items: readonly Item[]): readonly Item[] {
  const kept: Item[] = [];
  // Backwards, the next item that is less deep than the one kept last is what stands above it.
  let below = 0;
  for (const item of items.toReversed()) {
    if (item.files.length === 0 && item.depth >= below) continue;
    below = item.depth;
    kept.push(item);
  }
  return kept.toReversed();
}

function writeStructure(xml: XmlWriter, type: string, items: readonly Item[]): void {
  if (items.length === 0) return;
  xml.open('structMap', { TYPE: type });
  const orders: number[] = [];
  let open = 0;
  for (const item of items) {
    for (; open > item.depth; open--) xml.close();
    orders.length = item.depth + 1;
    const order = (orders[item.depth] ?? 0) + 1;
    orders[item.depth] = order;
    const label =
      textOf(item.record, 'title') ?? textOf(item.record, 'display_string') ?? textOf(item.record, 'label') ?? '';
    xml.open('div', { ORDER: order, LABEL: plainText(label), TYPE: 'item', DMDID: item.id });
    open++;
    for (const file of item.files) xml.element('fptr', { FILEID: file.id });
  }
  for (; open > 0; open--) xml.close();
  xml.close();
}
