// Read-only properties that depend on other rows, as SQL expressions over the record row `r` (and `f`, linkFacts of computed/links.ts). Each gives the text
// '"name":value,…' with a trailing comma, or null; composeRecord splices them. One expression serves single reads, pages
// and resolve alike, so no read ever asks once per record. Expressions hold no input: everything in them is a constant.
import type { Kind } from '#domain/kind.ts';
import { assessmentFacts } from './computed/assessment.ts';
import { containerPlace } from './computed/container-place.ts';
import { linkedEvents, linkedInstances, mutualLinks, objectCollection } from './computed/links.ts';
import { linkedAgentRoles, usedWithin } from './computed/use.ts';
import { isLinkedToPublished } from './computed/linked-to-published.ts';
import { treePath } from './computed/tree-path.ts';
import type { Places } from './computed/tree-place.ts';
import { treePlace, treeRef } from './computed/tree-place.ts';
import { isRepositoryAgent, isUser } from './computed/people.ts';
import { representativeFile } from './computed/representative-file.ts';

/** What expressions are asked for: `seesUse` is that of the viewer; `places` is how the place of a node is read; `hides`: links to and from suppressed records are left out (contract 5.2). */
export type Asked = { readonly seesUse: boolean; readonly places: Places; readonly hides: boolean };

/** Gives the expression for a kind. */
type Computed = (kind: Kind, asked: Asked) => string;

const table: { readonly [name: string]: Computed } = {
  linked_events: linkedEvents,
  linked_instances: linkedInstances,
  digital_object_collection: objectCollection,
  linked_agent_roles: linkedAgentRoles,
  used_within: usedWithin,
  is_linked_to_published_record: isLinkedToPublished,
  tree_place: treePlace,
  tree_path: treePath,
  tree_ref: treeRef,
  assessment: assessmentFacts,
  container_place: containerPlace,
  is_user: isUser,
  is_repo_agent: isRepositoryAgent,
  representative_file_version: representativeFile,
};

/** The expressions of a kind in declaration order: those it names, then its mutual links. Throws where a name is unknown. */
export function computedExpressions(kind: Kind, asked: Asked): readonly string[] {
  const named = (kind.computed ?? []).map((name) => {
    const computed = table[name];
    if (computed === undefined) throw new Error(`kind ${kind.name}: no computed property ${name}`);
    return computed(kind, asked);
  });
  const mutual = Object.entries(kind.mutual ?? {}).map(([property, link]) =>
    mutualLinks(kind, property, link.relation, asked),
  );
  return [...named, ...mutual];
}
