// Rights in the material: their basis, the acts they allow, and documents about them.
// Properties follow the contract (schemas.json) in its order.
import type { Rule, Schema } from '../schema/property.ts';
import { textOf } from '../json.ts';
import { partsOf, refsTo } from '../schema/build.ts';
import { NoteRightsStatement, NoteRightsStatementAct } from './notes/rights.ts';
import { agentKinds } from '../kinds/parts/agent-kinds.ts';

const neededByType: { readonly [type: string]: readonly string[] } = {
  copyright: ['status', 'jurisdiction', 'start_date'],
  license: ['license_terms', 'start_date'],
  statute: ['statute_citation', 'jurisdiction', 'start_date'],
  other: ['other_rights_basis', 'start_date'],
};

/** Contract 1.6, rights_statement: what each basis of rights needs. */
const basisIsComplete: Rule = (statement, report) => {
  for (const property of neededByType[textOf(statement, 'rights_type') ?? ''] ?? []) {
    if (statement[property] === undefined) report(property, 'missing required property');
  }
};

/** Contract schemas.json, `rights_statement`. */
export const RightsStatement: Schema = {
  name: 'rights_statement',
  properties: {
    rights_type: { type: 'string', minLength: 1, enumeration: 'rights_statement_rights_type', required: 'error' },
    identifier: { type: 'string', minLength: 1, maxLength: 255, generated: 'hex' },
    status: { type: 'string', enumeration: 'rights_statement_ip_status' },
    determination_date: { type: 'date' },
    start_date: { type: 'date' },
    end_date: { type: 'date' },
    license_terms: { type: 'string', maxLength: 255 },
    statute_citation: { type: 'string', maxLength: 255 },
    jurisdiction: { type: 'string', enumeration: 'country_iso_3166' },
    other_rights_basis: { type: 'string', enumeration: 'rights_statement_other_rights_basis' },
    external_documents: partsOf(() => [RightsStatementExternalDocument]),
    acts: partsOf(() => [RightsStatementAct]),
    linked_agents: { ...refsTo(agentKinds), resolvedInSearch: true },
    notes: partsOf(() => [NoteRightsStatement]),
  },
  audited: true,
  rules: [basisIsComplete],
};

/** Contract schemas.json, `rights_statement_act`. */
export const RightsStatementAct: Schema = {
  name: 'rights_statement_act',
  properties: {
    act_type: { type: 'string', minLength: 1, enumeration: 'rights_statement_act_type', required: 'error' },
    restriction: { type: 'string', minLength: 1, enumeration: 'rights_statement_act_restriction', required: 'error' },
    start_date: { type: 'date', required: 'error' },
    end_date: { type: 'date' },
    notes: partsOf(() => [NoteRightsStatementAct]),
  },
  audited: true,
};

/** Contract schemas.json, `rights_statement_external_document`. */
export const RightsStatementExternalDocument: Schema = {
  name: 'rights_statement_external_document',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 16384, required: 'error' },
    location: { type: 'string', maxLength: 16384, required: 'error', default: '' },
    publish: { type: 'boolean' },
    identifier_type: {
      type: 'string',
      minLength: 1,
      enumeration: 'rights_statement_external_document_identifier_type',
      required: 'error',
    },
  },
  audited: true,
  publishable: true,
};
