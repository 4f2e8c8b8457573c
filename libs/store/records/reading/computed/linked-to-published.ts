// `is_linked_to_published_record` of agents, subjects and containers: a heading may be that of a hundred thousand components, and each of them may be hidden by what is
// above it. So links are looked up one by one, never joined as the planner likes, and components are taken by the lists that they stand in.
import type { Kind } from '#domain/kind.ts';
import { allKinds } from '#domain/kinds/index.ts';
import { agentKinds } from '#domain/kinds/parts/agent-kinds.ts';
import { event } from '#domain/kinds/event.ts';
import { repository } from '#domain/kinds/repository.ts';
import { user } from '#domain/kinds/user.ts';
import { quoted } from './links.ts';

// Nodes whose own flag their tree has, too.
const nodes = allKinds
  .filter(({ tree, publishable }) => tree !== undefined && publishable === true)
  .map(({ name }) => name);
const nodeNames = quoted(nodes);
const leftOut: readonly string[] = [event.name, repository.name, user.name, ...nodes];
// What else may be public. Named by their names, as a plan that has the partitions of all kinds takes longer to set up than to run.
const others: readonly string[] = allKinds
  .filter(({ name, properties }) => properties['publish'] !== undefined && !leftOut.includes(name))
  .map(({ name }) => name);

// Agents that name one another are no records that lead to it: the link is stored with the one that was saved last, so that a save without a change made one of the two linked.
const otherNames = (kind: Kind): string =>
  quoted(agentKinds.includes(kind.name) ? others.filter((name) => !agentKinds.includes(name)) : others);

/** So many links are tried first: where a heading is public at all, one of the first mostly is. */
const triedFirst = 100;

// Asked for once a statement: while an archive moves in, most of what links to a heading is in repositories that are not public, and is passed over at its link.
const publicRepositories = `ARRAY(SELECT p.id FROM record p WHERE p.kind = '${repository.name}' AND p.publish)`;

/** Whether some record that is no such node links to it and is public. OFFSET 0 keeps the planner from reading all records where it takes the links for many. */
const otherLinks = (kind: Kind): string => `EXISTS (
    SELECT FROM link l CROSS JOIN LATERAL (
      SELECT s.kind, s.id, s.repo_id FROM record s WHERE s.kind = l.source_kind AND s.kind IN (${otherNames(kind)}) AND s.id = l.source_id AND s.publish AND NOT s.suppressed OFFSET 0) s
    WHERE l.target_kind = '${kind.name}' AND l.target_id = r.id AND l.source_kind IN (${otherNames(kind)})
      AND (s.repo_id IS NULL OR (s.repo_id = ANY(${publicRepositories}) AND NOT has_hidden_ancestor(s.kind, s.id, s.repo_id))))`;

const linksOfNodes = (kind: Kind): string =>
  `link l WHERE l.target_kind = '${kind.name}' AND l.target_id = r.id AND l.source_kind IN (${nodeNames}) AND l.repo_id = ANY(${publicRepositories})`;

/** Whether the root of the nodes `t` is public; one look for each kind of root, since of which partition it is must be known when it is planned. */
const isRootPublic = `CASE t.kind ${allKinds
  .flatMap(({ tree }) =>
    tree === undefined
      ? []
      : [
          `WHEN ${tree.code} THEN (SELECT (o.publish AND NOT o.suppressed) IS NOT FALSE FROM record o WHERE o.kind = '${tree.root}' AND o.id = t.root_id)`,
        ],
  )
  .join(' ')} END`;

/** Whether some node links to it and is public: of each tree that is, one of each list of siblings is asked for, as what is above them is the same. CASE, since the planner would begin with what is dearest. */
const nodeLinks = (kind: Kind, limit: string): string => `EXISTS (
    SELECT FROM (
      SELECT t.repo_id, t.kind, t.root_id, array_agg(t.id) AS ids FROM (
        SELECT t.repo_id, t.kind, t.root_id, min(t.id) AS id FROM (
          SELECT l.source_kind, l.source_id, l.repo_id FROM ${linksOfNodes(kind)}${limit}) l
        CROSS JOIN LATERAL (
          SELECT t.repo_id, t.kind, t.id, t.root_id, t.list_id FROM tree_node t
          WHERE t.repo_id = l.repo_id AND t.kind = tree_code(l.source_kind) AND t.id = l.source_id AND t.visible OFFSET 0) t
        GROUP BY t.repo_id, t.kind, t.root_id, t.list_id) t
      GROUP BY t.repo_id, t.kind, t.root_id) t
    WHERE CASE WHEN ${isRootPublic}
      THEN EXISTS (SELECT FROM unnest(t.ids) AS u (id) WHERE NOT has_hidden_ancestor(tree_node_kind(t.kind), u.id, t.repo_id)) END)`;

/** `is_linked_to_published_record`: some linked record, its ancestors and its repository are all public (contract 5.1). */
export const isLinkedToPublished = (
  kind: Kind,
): string => `(SELECT '"is_linked_to_published_record":' || (CASE WHEN ${otherLinks(kind)} THEN true
  WHEN ${nodeLinks(kind, ` LIMIT ${triedFirst}`)} THEN true
  WHEN (SELECT count(*) FROM (SELECT FROM ${linksOfNodes(kind)} LIMIT ${triedFirst + 1}) l) <= ${triedFirst} THEN false
  ELSE ${nodeLinks(kind, '')} END)::text || ',')`;
