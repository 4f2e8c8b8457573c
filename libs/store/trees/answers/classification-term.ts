// What trees of classifications add: identifiers.
import { type JsonObject, textOf } from '#domain/json.ts';
import type { KindKeys } from './kinds.ts';

const identifier = (body: JsonObject): JsonObject => ({ identifier: textOf(body, 'identifier') ?? null });

/** Keys of classification terms and their classification. */
export const classificationTermKeys: KindKeys = { root: identifier, entry: identifier, node: identifier };
