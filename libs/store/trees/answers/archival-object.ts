// What trees of resources add: identifiers, levels, dates and containers.
import { textOf } from '#domain/json.ts';
import { identifierText } from '#domain/rules/identifiers.ts';
import type { KindKeys } from './kinds.ts';
import { containersOf, datesOf, levelOf } from './page.ts';

/** Keys of archival objects and their resource. `identifier` of a node is always there, null where it has no component_id. */
export const archivalObjectKeys: KindKeys = {
  root: (body, around) => ({ level: levelOf(body), identifier: identifierText(body), containers: containersOf(body, around) }),
  entry: (body, around) => ({ identifier: textOf(body, 'component_id') ?? null, level: levelOf(body), dates: datesOf(body), containers: containersOf(body, around) }),
  node: (body) => ({ identifier: textOf(body, 'component_id') ?? null }),
};
