// Where Muniment answers otherwise than the recording, and why: decided by precedence.md and behaviour-records.md 7 of the contract.
// test/contract/examples.test.ts fails on a difference that is not here, and on an entry that no difference needs.
import type { Difference } from '#test/support/replay.ts';

/** Exchanges (one name, or a pattern) and a place in the answer (`**` leaves its end open) at which another answer is right. */
export type Deviation = {
  readonly exchange: string | RegExp;
  readonly at: string | RegExp;
  readonly why: string;
  readonly release?: 'R-A' | 'R-B';
};

/** Whether a deviation explains a difference. */
export function covers(deviation: Deviation, difference: Difference, release: 'R-A' | 'R-B'): boolean {
  if (deviation.release !== undefined && deviation.release !== release) return false;
  const named =
    typeof deviation.exchange === 'string'
      ? deviation.exchange === difference.exchange
      : deviation.exchange.test(difference.exchange);
  const placed =
    typeof deviation.at !== 'string'
      ? deviation.at.test(difference.at)
      : deviation.at.endsWith('**')
        ? difference.at.startsWith(deviation.at.slice(0, -2))
        : deviation.at === difference.at;
  return named && placed;
}

const clientMistake =
  'A 500 of the reference for a mistake of the client: 400, 404 or 409 with a clear body (precedence.md; 7.4).';
const missingTarget =
  'The reference answers with the text of its database driver; the contract gives the words for a bad reference (1.3).';
const product = 'The name of the product.';
const generatedAgents = 'Agents that the service makes say so, and keep the sort name that they were given.';
const importMessages =
  'The texts of a failed import are our own: which record, and what is wrong with it (2.4 fixes the frame and the prefix alone).';
const importPhases =
  'Phases of an import with nothing to do are not reported; a phase that fails is reported as begun.';
const wholeTree = 'Served, streamed: clients still call it (precedence.md).';
const mergeStatus = 'The interface document says Updated (precedence.md).';
const bothSpellings = "Both releases' spellings are taken, whatever the release.";
const additions = 'Properties of the later release are additions: shown in both.';

const validExports =
  'Exports are valid against their schemas, which want more of `control` than the reference writes (precedence.md, 4).';
const oneSchema = 'Exports are the same in both releases; schemas have their addresses of today.';

/** The list. */
export const deviations: readonly Deviation[] = [
  {
    exchange: /^no such (route|method)$|, no such route$/,
    at: 'body/error',
    why: 'Clients look at the status only (1.1, step 2).',
  },
  { exchange: 'version', at: 'body', why: product },
  {
    exchange: /^repo create json string$|^group create bad permission$|page negative$|list page x$/,
    at: 'status',
    why: clientMistake,
  },
  {
    exchange: /^repo create json string$|^group create bad permission$|page negative$|list page x$/,
    at: 'body/error',
    why: clientMistake,
  },
  { exchange: 'corporate create wrong name type', at: 'status', why: clientMistake },
  { exchange: 'corporate create wrong name type', at: 'body/**', why: clientMistake },
  {
    exchange: 'user login',
    at: 'body/user/last_modified_by',
    why: 'A login does not rewrite the user (7.2), so the creator stays the last who changed it.',
  },
  {
    exchange: /^corporate (get|get for update)$/,
    at: 'body/agent_contacts/*/fax',
    why: 'The schema has the fax number; the reference loses it.',
  },
  {
    exchange: /^corporate list id_set/,
    at: 'body/*/agent_contacts/*/fax',
    why: 'The schema has the fax number; the reference loses it.',
  },
  { exchange: 'corporate list', at: 'body/results/*/names/*/sort_name_auto_generate', why: generatedAgents },
  { exchange: 'corporate list', at: 'body/results/*/display_name/sort_name_auto_generate', why: generatedAgents },
  { exchange: /^(corporate|software) list$/, at: 'body/results/*/system_generated', why: generatedAgents },
  { exchange: 'software list', at: 'body/results/*/names/*/**', why: product },
  { exchange: 'software list', at: 'body/results/*/display_name/**', why: product },
  { exchange: 'software list', at: 'body/results/*/title', why: product },
  { exchange: 'accession bad subject ref', at: 'body/error', why: 'The recording leaves the uri out of the text.' },
  { exchange: 'accession emoji', at: 'status', why: 'Characters beyond the basic plane are accepted (1.1).' },
  { exchange: 'accession emoji', at: 'body/**', why: 'Characters beyond the basic plane are accepted (1.1).' },
  { exchange: 'accession update lock string', at: 'status', why: clientMistake },
  { exchange: 'accession update lock string', at: 'body/error', why: clientMistake },
  { exchange: 'ao create bad resource ref', at: 'body/error', why: missingTarget },
  { exchange: 'ao create parent in other resource', at: 'body/error/**', why: '400 on the key parent (5.4).' },
  {
    exchange: /^ao accept_children (no children|negative position)$|^ao parent without position$/,
    at: 'status',
    why: clientMistake,
  },
  {
    exchange: /^ao accept_children (no children|negative position)$|^ao parent without position$/,
    at: 'body/**',
    why: clientMistake,
  },
  { exchange: 'ao parent missing', at: 'body/error/**', why: '400 on the key parent (5.4).' },
  {
    exchange: 'ao models_in_graph',
    at: 'body/*',
    why: 'The order is undefined (6.4): ours is the record itself, then by name.',
  },
  { exchange: 'resource tree old', at: 'status', why: wholeTree },
  { exchange: 'resource tree old', at: 'body/**', why: wholeTree },
  { exchange: /^import (dangling ref|good then bad|bad json|duplicate id)$/, at: 'body/errors/*', why: importMessages },
  {
    exchange: /^import (dangling ref|good then bad|bad json|not a list|empty list|duplicate id)$/,
    at: 'body/status/**',
    why: importPhases,
  },
  {
    exchange: 'location batch update',
    at: 'body/*',
    why: 'The reference prints debug texts of objects; the uris say more (6.9).',
  },
  { exchange: 'assessment get resolved', at: 'body/surveyed_by/*/_resolved/system_generated', why: generatedAgents },
  { exchange: 'oai_config get', at: 'body/*/oai_repository_name', why: product },
  { exchange: 'oai_config get', at: 'body/*/oai_record_prefix', why: product },
  {
    exchange: 'permissions all',
    at: 'body/*/created_by',
    why: 'Permissions are part of the service; nobody made them.',
  },
  {
    exchange: 'permissions all',
    at: 'body/*/last_modified_by',
    why: 'Permissions are part of the service; nobody made them.',
  },
  { exchange: 'job_types', at: 'body/bulk_archival_object_updater_job', why: additions, release: 'R-A' },
  { exchange: /./, at: /linked_agents\/\*\/is_primary$/, why: additions, release: 'R-A' },
  { exchange: /./, at: /is_finding_aid_status_published$/, why: additions, release: 'R-A' },
  {
    exchange: 'accession transfer conflict',
    at: 'status',
    why: 'Clashes are found before anything moves, and told in the shape of conflicts (7.2).',
  },
  {
    exchange: 'accession transfer conflict',
    at: 'body/error/**',
    why: 'Clashes are found before anything moves, and told in the shape of conflicts (7.2).',
  },
  {
    exchange:
      /^(merge (agent|container_profile|top_container|resource|digital_object)|agent_detail|agent_detail dry_run)$/,
    at: 'body/status',
    why: mergeStatus,
  },
  {
    exchange: 'ao get after publish',
    at: 'body/has_unpublished_ancestor',
    why: 'The recording had saved the resource as published before, which it does not show.',
  },
  { exchange: 'agent_detail dry_run', at: 'order', why: 'Every merge can be previewed, beyond the reference.' },
  { exchange: 'agent_detail dry_run', at: 'body/preview', why: 'Every merge can be previewed, beyond the reference.' },
  { exchange: 'agent_detail other field names', at: 'status', why: bothSpellings },
  { exchange: 'agent_detail other field names', at: 'body/**', why: bothSpellings },
  {
    exchange: 'agent_detail without selections',
    at: 'status',
    why: 'A merge of nothing chosen is a plain one; the reference answers 500.',
  },
  {
    exchange: 'agent_detail without selections',
    at: 'body/**',
    why: 'A merge of nothing chosen is a plain one; the reference answers 500.',
  },
  {
    exchange: 'merge system user agent',
    at: 'body/error',
    why: 'The specific text, not that of the database (1.3).',
    release: 'R-A',
  },
  {
    exchange: 'agent after agent_detail',
    at: 'body/linked_agent_roles/**',
    why: 'A link in another role is no duplicate in either release.',
    release: 'R-A',
  },
  {
    exchange: 'notifications',
    at: 'body/**',
    why: 'What was told before depends on what was done before; each is told once (5.8).',
  },
  { exchange: 'delete-feed', at: 'body/**', why: 'How many were deleted before depends on what was done before.' },
  { exchange: /^eac (corporate|family|person)$/, at: /^body\/eac-cpf\/\*\/control\//, why: validExports },
  {
    exchange: 'marc21 people',
    at: 'body/collection/*/record/*/datafield/*/@ind1',
    why: 'An inverted name has the indicator of one (behaviour-exports 5, ours).',
  },
  {
    exchange: /^eac (corporate|family|person)$|^marc21 (people|corporate_entities)$|^resource marc$/,
    at: /^body\/[a-z-]+\/\*\/@schemaLocation$/,
    why: oneSchema,
    release: 'R-A',
  },
];
