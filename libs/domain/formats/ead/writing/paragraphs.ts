// Statements of a finding aid that hold paragraphs alone, in both versions of EAD.
import type { XmlWriter } from '../../xml/writer.ts';
import { inlineXml } from './mixed.ts';
import type { ContentModel } from './mixed.ts';

/** Writes an element of paragraphs, unless there is no text; markup that is more than inline gives way to its words. */
export function writeParagraphs(
  writer: XmlWriter,
  model: ContentModel,
  element: string,
  text: string | undefined,
): void {
  const paragraphs = (text ?? '')
    .split(/\n[ \t\r]*\n\s*|<\/?p>/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (paragraphs.length === 0) return;
  writer.open(element);
  for (const paragraph of paragraphs)
    writer
      .open('p')
      .raw(inlineXml(model, model.paragraph, paragraph))
      .close();
  writer.close();
}
