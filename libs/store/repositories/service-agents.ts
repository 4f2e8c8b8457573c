// Agents that the service makes by itself: a person for each user, a corporate body for each repository, the software itself.
// They are system generated, so they may have the name of another agent (contract 2.3, 2.6).
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { GeneratedValues } from '#domain/kind.ts';
import type { Enumerations, Prepared } from '#domain/checking/prepare.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { Transaction } from '../connection/database.ts';
import { addCatalogedEvent } from '../records/writing/service-events.ts';
import { createRecord } from '../records/writing/write.ts';
import { IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** Who makes an agent, and what checking its body needs. */
export type AgentContext = {
  readonly actor: string | null;
  readonly generatedValues: GeneratedValues;
  readonly enumerations: Enumerations;
};

/** Creates an agent of a kind from a body and gives its uri. `isOwn`: made by the service, so exempt from uniqueness. */
export async function createAgent(
  tx: Transaction,
  kindName: string,
  body: JsonObject,
  isOwn: boolean,
  context: AgentContext,
): Promise<string> {
  const kind = kindNamed(kindName);
  const prepared = prepareFor(kindName, body, 'create', context);
  const whole = isOwn ? { ...prepared, body: { ...prepared.body, system_generated: true } } : prepared;
  const written = await createRecord(tx, kind, whole, {
    actor: context.actor,
    repoId: null,
    generatedValues: context.generatedValues,
  });
  // The agent that stands for the service acts in it.
  await addCatalogedEvent(tx, written.uri, null, context);
  return written.uri;
}

/** Checks a body that did not come through the server's own check. Throws `invalid_record`. */
export function prepareFor(
  kindName: string,
  body: JsonObject,
  operation: 'create' | 'update',
  context: AgentContext,
): Prepared {
  const { generatedValues, enumerations } = context;
  return prepare(kindNamed(kindName), body, {
    operation,
    generatedValues,
    enumerations,
    parseUri,
    acceptTemporary: false,
    createEnumerationValues: false,
  });
}

/** The person agent of a user: unpublished, named as the user, in direct order. */
export async function createPersonOf(tx: Transaction, name: string, context: AgentContext): Promise<string> {
  const names = [
    { primary_name: name, sort_name_auto_generate: true, source: 'local', rules: 'local', name_order: 'direct' },
  ];
  return createAgent(tx, 'agent_person', { names, publish: false }, true, context);
}

/** The corporate agent of a repository code: one that has it as the primary name of a name, case ignored, or a new one. */
export async function findOrCreateCorporateBody(tx: Transaction, code: string, context: AgentContext): Promise<string> {
  // The first condition spares parsing most bodies: a body that lacks the code as text cannot have it as a name.
  const found = await tx.maybeOne(sql.type(IdRow)`
    SELECT r.id FROM record r WHERE r.kind = 'agent_corporate_entity' AND strpos(lower(r.body::text), lower(${JSON.stringify(code)})) > 0
      AND EXISTS (SELECT FROM json_array_elements(r.body->'names') n WHERE lower(n->>'primary_name') = lower(${code})) ORDER BY r.id LIMIT 1`);
  if (found !== null) return uriOf(kindNamed('agent_corporate_entity'), found.id, null);
  const names = [{ primary_name: code, sort_name: code, sort_name_auto_generate: false, source: 'local' }];
  return createAgent(
    tx,
    'agent_corporate_entity',
    { names, agent_contacts: [{ name: code }], publish: false },
    true,
    context,
  );
}

/** A prepared body with a ref that clients cannot set, and its link. */
export function withRef(prepared: Prepared, property: string, uri: string): Prepared {
  return {
    ...prepared,
    body: { ...prepared.body, [property]: { ref: uri } },
    links: [...prepared.links, { property, path: property, uri, role: null }],
  };
}
