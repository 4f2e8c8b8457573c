// The formats that harvesters may ask for, in the order of ListMetadataFormats: the exports that declare a prefix.
import type { Export, RecordSource, TreeSource } from '../define-export.ts';
import { valuesOf } from '../define-export.ts';
import { allExports } from '../exports.ts';
import type { ExportContext } from '../writing/context.ts';
import type { HarvestedKind } from './format.ts';
import type { Offered } from '../offer-order.ts';
import { compareOffers } from '../offer-order.ts';

/**
 * A format. `write` gives one element without an XML declaration, with all its namespaces declared; of a record as publicRecord gives it:
 * published parts alone, refs to agents, subjects, repository and ancestors with `_resolved`, components with what they take from above.
 * Of trees, the published part with the refs of finding aids resolved.
 */
export type OaiFormat = {
  readonly prefix: string;
  readonly schema: string;
  readonly namespace: string;
  readonly kinds: readonly HarvestedKind[];
  /** Records of a page; 1 for formats that carry whole trees. */
  readonly pageSize: number;
} & (
  | { readonly reads: 'record'; readonly write: (source: RecordSource, context: ExportContext) => string }
  | { readonly reads: 'tree'; readonly write: (source: TreeSource, context: ExportContext) => AsyncIterable<string> }
);

const recordsOfPage = 25;

/** The registry. */
export const oaiFormats: readonly OaiFormat[] = inOrder(allExports).flatMap(formatsOf);

/** The format of a prefix, or undefined. */
export const formatOf = (prefix: string): OaiFormat | undefined =>
  oaiFormats.find((format) => format.prefix === prefix);

/** The exports in the order of their prefixes; those that harvesters do not get are nowhere in it. */
function inOrder(exports: readonly Export[]): readonly Export[] {
  const offerOf = (each: Export): Offered =>
    'oai' in each && each.oai !== undefined ? { name: each.oai.prefix, place: each.oai.place } : { name: '' };
  return exports.toSorted((a, b) => compareOffers(offerOf(a), offerOf(b)));
}

/** What the provider needs of an export; nothing where harvesters do not get it. */
function formatsOf(each: Export): readonly OaiFormat[] {
  const options = valuesOf(each.options);
  if (each.reads === 'record' && each.oai !== undefined) {
    const { place: _, write = each.write, ...about } = each.oai;
    return [
      {
        ...about,
        pageSize: recordsOfPage,
        reads: 'record',
        write: (source, context) => withoutDeclaration(write(source, context, options)),
      },
    ];
  }
  if (each.reads === 'tree' && each.oai !== undefined) {
    const { place: _, write = each.write, ...about } = each.oai;
    return [
      {
        ...about,
        pageSize: 1,
        reads: 'tree',
        write: (source, context) => piecesWithoutDeclaration(write(source, context, options)),
      },
    ];
  }
  return [];
}

/** A document, or its first piece, as it may stand inside another. */
const withoutDeclaration = (document: string): string => document.replace(/^<\?xml[^?]*\?>\s*/, '');

async function* piecesWithoutDeclaration(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of pieces) {
    yield isFirst ? withoutDeclaration(piece) : piece;
    isFirst = false;
  }
}
