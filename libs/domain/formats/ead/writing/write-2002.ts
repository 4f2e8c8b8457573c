// A finding aid in EAD 2002, streamed: the header and the description of the resource, then its components as they come.
import type { JsonObject } from '../../../json.ts';
import { textOf } from '../../../json.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { publishedPart } from '../../writing/published.ts';
import { audience, componentName, linkedSubjects } from '../../writing/finding-aid.ts';
import type { FindingAidSetting, EadWriting } from '../../writing/finding-aid.ts';
import { writeDaos } from './daos-2002.ts';
import { agentHeadings, writeComponentDid, writeControlAccess, writeResourceDid } from './did-2002.ts';
import { writeHeader } from './header-2002.ts';
import { createIds, nameToken } from '../../writing/identifiers.ts';
import { writeNotes } from './notes-2002.ts';
import type { RunParts } from '../../writing/tree-runs.ts';
import { streamTree } from '../../writing/tree-stream.ts';
import type { TreeRecord } from '../../writing/tree-stream.ts';

/**
 * The document in pieces of text. `root` is a resource and `blocks` its components in reading order, with agents, subjects, containers,
 * digital objects and the repository resolved. Parts that are not published are taken out here unless they are asked for.
 */
export function writeEad2002(
  root: JsonObject,
  blocks: AsyncIterable<readonly TreeRecord[]>,
  setting: FindingAidSetting,
): AsyncGenerator<string> {
  return streamTree(blocks, ead2002Parts(root, setting));
}

/** The parts of the document; `root` stands in its head alone. */
export function ead2002Parts(root: JsonObject, setting: FindingAidSetting): RunParts {
  const writing: EadWriting = { ...setting, ids: createIds() };
  const shown = (record: JsonObject): JsonObject => (setting.flags.includeUnpublished ? record : publishedPart(record));
  return {
    ids: writing.ids,
    element: (depth) => componentName(writing, depth),
    head(writer) {
      writer.raw('<?xml version="1.0" encoding="utf-8"?>\n');
      writer.open('ead', {
        xmlns: 'urn:isbn:1-931666-22-9',
        'xmlns:xlink': 'http://www.w3.org/1999/xlink',
        'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
        'xsi:schemaLocation': 'urn:isbn:1-931666-22-9 https://www.loc.gov/ead/ead.xsd',
        audience: audience(root),
      });
      const resource = shown(root);
      writeHeader(writer, writing, resource);
      writer.open('archdesc', levelOf(resource));
      writeResourceDid(writer, writing, resource);
      if (writing.flags.includeDaos) writeDaos(writer, resource);
      writeRest(writer, writing, resource);
      writer.open('dsc');
    },
    open(writer, depth, record) {
      const component = shown(record);
      writer.open(componentName(writing, depth), {
        id: writing.ids.claim(textOf(component, 'ref_id')),
        ...levelOf(component),
        audience: audience(component),
      });
      writeComponentDid(writer, writing, component);
      writeRest(writer, writing, component);
    },
    foot: (writer) => void writer.close().close().close(),
  };
}

function levelOf(record: JsonObject): { readonly level: string; readonly otherlevel?: string } {
  const other = textOf(record, 'other_level');
  return {
    level: textOf(record, 'level') ?? 'otherlevel',
    ...(other === undefined ? {} : { otherlevel: nameToken(other) }),
  };
}

function writeRest(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  writeNotes(writer, writing, record);
  const subjects = linkedSubjects(record).map(({ subject, element, text }) => {
    const source = textOf(subject, 'source');
    return {
      element,
      attributes: {
        source: source === undefined ? undefined : nameToken(source),
        authfilenumber: textOf(subject, 'authority_id'),
      },
      text,
    };
  });
  writeControlAccess(writer, [...subjects, ...agentHeadings(record)]);
}
