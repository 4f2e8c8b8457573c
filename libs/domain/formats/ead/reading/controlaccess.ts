// EAD 2002 `controlaccess` to agent links and subjects.
import type { JsonObject } from '../../../json.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import { isAgentElement, linkAgent } from './agents.ts';
import type { EadContext } from './context.ts';
import type { Draft } from './draft.ts';
import { headingTerms, reportBeside } from './heading-parts.ts';
import { inAudienceOf } from '../../xml/audience.ts';
import { pushOnce } from '../../reading/record-parts.ts';

/** The term type of each subject element (contract). */
const termTypes: ReadonlyMap<string, string> = new Map([
  ['function', 'function'],
  ['genreform', 'genre_form'],
  ['geogname', 'geographic'],
  ['occupation', 'occupation'],
  ['subject', 'topical'],
  ['title', 'uniform_title'],
]);

/** Elements that only arrange headings: their content is read as if it stood in the controlaccess. */
const wrappers: ReadonlySet<string> = new Set(['controlaccess', 'list', 'item', 'p', 'defitem']);

/** Links every heading in a `controlaccess`, also those in nested ones and in lists; heads and other text are reported. */
export function readControlAccess(context: EadContext, draft: Draft, node: XmlNode): void {
  for (const child of node.children.map((part) => (isElement(part) ? inAudienceOf(node, part) : part))) {
    if (!isElement(child)) {
      context.report.dropText(node.line, node.name, child, 'text of controlaccess outside a heading');
    } else if (isAgentElement(child)) {
      linkAgent(context, draft, child, 'subject');
    } else if (termTypes.has(child.name)) {
      linkSubject(context, draft, child);
    } else if (wrappers.has(child.name) && elementsOf(child).length > 0) {
      readControlAccess(context, draft, child);
    } else {
      context.report.drop(child, 'not imported inside controlaccess');
    }
  }
}

function linkSubject(context: EadContext, draft: Draft, node: XmlNode): void {
  const text = textContent(node);
  const type = termTypes.get(node.name);
  if (text === '' || type === undefined) return;
  reportBeside(context, node);
  const vocabulary = context.vocabularyUri;
  const isSplit = context.options.splitHeadings === true;
  // A subdivision does not say its type in EAD 2002; only the first term has the element's. The parts of EAD3 may say theirs.
  const texts = headingTerms(node, type).flatMap((part) =>
    isSplit
      ? part.term
          .split(/(?:(?<!\s)\s+)?--\s*/)
          .filter((term) => term !== '')
          .map((term, index) => ({ term, type: index === 0 ? part.type : 'topical' }))
      : [part],
  );
  const terms = texts.map((part) => ({ jsonmodel_type: 'term', term: part.term, term_type: part.type, vocabulary }));
  const body = {
    source: context.controlled('subject_source', attributeOf(node, 'source') ?? 'ingest'),
    terms,
    vocabulary,
  };
  const ref = context.emitOnce('subject', JSON.stringify(body), { ...body, ...authorityOf(context, node, body) });
  pushOnce(draft.subjects, { ref }, draft.seen);
}

/**
 * The number of a heading in its authority file, where it may have it: of all subjects of a source only one may. Finding aids give
 * headings with subdivisions the number of the heading they subdivide.
 */
function authorityOf(context: EadContext, node: XmlNode, body: JsonObject): JsonObject {
  const id = attributeOf(node, 'authfilenumber');
  const subject = JSON.stringify(body);
  const isFirst = context.claim('number of subject', subject, id ?? '');
  if (id === undefined) return {};
  if (
    isFirst &&
    context.options.isAuthorityIdTaken?.({ ...body, authority_id: id }) !== true &&
    context.claim('subject of number', JSON.stringify([body['source'], id]), subject)
  )
    return { authority_id: id };
  context.report.dropTextOnce(
    node.line,
    node.name,
    id,
    isFirst ? 'authfilenumber of another subject' : 'authfilenumber that the subject did not have before',
  );
  return {};
}
