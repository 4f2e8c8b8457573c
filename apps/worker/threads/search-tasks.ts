// Thread task of the indexer: search documents out of records as they were read.
import type { Material } from '#domain/search/documents/material.ts';
import { makeDocuments } from '#domain/search/documents/material.ts';
import type { PackedDocuments } from '#domain/search/documents/packed.ts';
import type { Move } from './task.ts';

/** makeDocuments, whose rows are handed over. */
export function makeDocumentsToMove(material: Material, move: Move): PackedDocuments {
  const packed = makeDocuments(material);
  move(packed.rows.buffer);
  return packed;
}
