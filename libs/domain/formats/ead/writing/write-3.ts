// A finding aid in EAD3, streamed: control and description of the resource, then its components as they come.
import type { JsonObject } from '../../../json.ts';
import { textOf } from '../../../json.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { publishedPart } from '../../writing/published.ts';
import {
  agentHeading,
  audience,
  componentName,
  distinctHeadings,
  linkedAgents,
  linkedSubjects,
} from '../../writing/finding-aid.ts';
import type { FindingAidSetting, EadWriting, Heading } from '../../writing/finding-aid.ts';
import { writeControl } from './control-3.ts';
import { writeDid } from './did-3.ts';
import { createIds, nameToken } from '../../writing/identifiers.ts';
import { writeNotes } from './notes-3.ts';
import type { RunParts } from '../../writing/tree-runs.ts';
import { streamTree } from '../../writing/tree-stream.ts';
import type { TreeRecord } from '../../writing/tree-stream.ts';

/** The document in pieces of text; as writeEad2002. */
export function writeEad3(
  root: JsonObject,
  blocks: AsyncIterable<readonly TreeRecord[]>,
  setting: FindingAidSetting,
): AsyncGenerator<string> {
  return streamTree(blocks, ead3Parts(root, setting));
}

/** The parts of the document; `root` stands in its head alone. */
export function ead3Parts(root: JsonObject, setting: FindingAidSetting): RunParts {
  const writing: EadWriting = { ...setting, ids: createIds() };
  const shown = (record: JsonObject): JsonObject => (setting.flags.includeUnpublished ? record : publishedPart(record));
  return {
    ids: writing.ids,
    element: (depth) => componentName(writing, depth),
    head(writer) {
      writer.raw(
        '<?xml version="1.0" encoding="utf-8"?>\n<?xml-model href="https://raw.githubusercontent.com/SAA-SDT/EAD3/master/ead3.rng" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"?>\n',
      );
      writer.open('ead', { xmlns: 'http://ead3.archivists.org/schema/', audience: audience(root) });
      const resource = shown(root);
      writeControl(writer, writing, resource);
      writer.open('archdesc', levelOf(resource));
      writeDid(writer, writing, resource);
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
      writeDid(writer, writing, component);
      writeRest(writer, writing, component);
    },
    foot: (writer) => void writer.close().close().close(),
  };
}

function levelOf(record: JsonObject): { readonly level: string; readonly otherlevel?: string } {
  const other = textOf(record, 'other_level');
  return { level: textOf(record, 'level') ?? 'otherlevel', ...(other === undefined ? {} : { otherlevel: other }) };
}

function writeRest(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  writeNotes(writer, writing, record);
  const subjects = linkedSubjects(record).map(({ subject, element, text }): Heading => ({
    element,
    attributes: { source: textOf(subject, 'source'), identifier: textOf(subject, 'authority_id') },
    text,
  }));
  const agents = linkedAgents(record, ['source', 'subject']).map((linked): Heading => {
    const rules = textOf(linked.name, 'rules');
    const relator = textOf(linked.link, 'relator') ?? (textOf(linked.link, 'role') === 'source' ? 'fmo' : undefined);
    const attributes = {
      relator,
      source: textOf(linked.name, 'source'),
      rules: rules === undefined ? undefined : nameToken(rules),
      identifier: textOf(linked.name, 'authority_id'),
      audience: audience(linked.agent),
    };
    return { element: linked.element, attributes, text: agentHeading(linked) };
  });
  const headings = distinctHeadings([...subjects, ...agents]);
  if (headings.length === 0) return;
  writer.open('controlaccess');
  for (const { element, attributes, text } of headings)
    writer.open(element, attributes).element('part', {}, text).close();
  writer.close();
}
