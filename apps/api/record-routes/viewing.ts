// What a caller may see and how a write is signed: the bridge from a request to the store's viewer and write context.
import type { JsonObject } from '#domain/json.ts';
import type { Caller } from '#domain/access/caller.ts';
import { can, canAnywhere } from '#domain/access/caller.ts';
import { seesSuppressed } from '#domain/access/suppression.ts';
import type { ResolveViewer } from '#store/records/reading/resolve.ts';
import type { ResolveTree } from '#store/records/reading/resolve-tree.ts';
import { resolveRefs } from '#store/records/reading/resolve.ts';
import { parseResolve } from '#store/records/reading/resolve-tree.ts';
import { resolveTexts } from '#store/records/reading/resolve-texts.ts';
import { resolveTrees } from '#store/trees/resolve.ts';
import type { WriteContext } from '#store/records/writing/write-context.ts';
import type { Services } from '../services.ts';

/** The parts of a call that decide what is seen and signed. `wantsSuppressed`: the caller's preference `show_suppressed`, where it decides. */
export type Seeing = {
  readonly caller: Caller;
  readonly repoId: number | null;
  readonly services: Services;
  readonly wantsSuppressed: boolean;
};

/**
 * Who looks. Inside a repository, suppressed records are seen by holders of index_system and by those who may and want to (contract 5.2);
 * outside, nothing is filtered. Targets in repositories the caller may not view stay unresolved.
 */
export function viewerOf(call: Seeing): ResolveViewer {
  return {
    seesSuppressed: seesSuppressed(call.caller, call.repoId, call.wantsSuppressed),
    seesUse: can(call.caller, 'index_system', call.repoId),
    seesConfidential: seesConfidential(call),
    release: call.services.config.MUNIMENT_RELEASE,
    mayView: (repoId) => can(call.caller, 'view_repository', repoId),
  };
}

/**
 * Whether the caller sees contact details of agents: with view_agent_contact_record in any repository, since agents belong to none, or
 * where the installation does not protect them (contract precedence.md, "from the later release").
 */
export function seesConfidential({ caller, services }: Pick<Seeing, 'caller' | 'services'>): boolean {
  return !services.config.MUNIMENT_PROTECT_CONTACTS || canAnywhere(caller, 'view_agent_contact_record');
}

/** Who writes, and the generated values of this write. */
export function writeContext(call: Seeing): WriteContext {
  return {
    actor: call.caller.username,
    repoId: call.repoId,
    generatedValues: call.services.generatedValues,
    keepsHidden: !viewerOf(call).seesSuppressed,
    keepsConfidential: !seesConfidential(call),
  };
}

/** Whether a client asks for the trees of roots, at any depth. */
const asksTree = (tree: ResolveTree): boolean =>
  Object.entries(tree).some(([name, below]) => name === 'tree' || asksTree(below));

/** The JSON text of a record, or of an array of them, with the named refs resolved, in pieces: it may be longer than a text can be. */
export async function withRefsResolved(
  call: Seeing,
  names: readonly string[],
  text: string,
): Promise<IteratorObject<string>> {
  const tree = parseResolve(names);
  if (Object.keys(tree).length === 0) return [text].values();
  const { database } = call.services;
  const viewer = viewerOf(call);
  if (!asksTree(tree)) return resolveTexts(database.reader, text, tree, viewer);
  const value: JsonObject | JsonObject[] = JSON.parse(text);
  const records = Array.isArray(value) ? value : [value];
  await resolveRefs(database.reader, records, tree, viewer);
  await resolveTrees(database, records, viewer);
  return [JSON.stringify(value)].values();
}
