// Kind event. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { partOf, refsTo } from '../schema/build.ts';
import { ArchivalDate } from '../subrecords/date.ts';
import { externalDocuments, suppressed } from './parts/described.ts';
import { externalIds } from './parts/identifiers.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import type { Rule } from '../schema/property.ts';
import { toUtcTime } from '../dates/rules.ts';
import { copies, list, nameOf, refOf } from '../search/documents/reading.ts';
import { agentKinds } from './parts/agent-kinds.ts';
import { modifiedWithLinked } from './parts/described-rules.ts';

const hasOneTime: Rule = (body, report) => {
  const timestamp = textOf(body, 'timestamp');
  const hasDate = objectOf(body, 'date') !== undefined;
  if (hasDate === (timestamp !== undefined)) {
    const message = hasDate ? "Can't specify both a date and a timestamp" : 'Must specify either a date or a timestamp';
    report('date', message);
    report('timestamp', message);
  } else if (timestamp !== undefined && toUtcTime(timestamp) === null) {
    report('timestamp', 'Must be an ISO8601-formatted string');
  }
};

/** Kind `event`. */
export const event = defineKind({
  name: 'event',
  uri: '/repositories/:repo_id/events/:id',
  model: 'Event',
  doc: "Something that was done to material or to an agent's record, at a time and by somebody: received, catalogued, digitised, moved, transferred, checked. An event names its agents and its records, each with a role. It is hidden while all records it speaks of are suppressed.",
  properties: {
    uri: { type: 'string', readonly: true },
    refid: { type: 'string' },
    external_ids: externalIds,
    external_documents: externalDocuments,
    event_type: { type: 'string', enumeration: 'event_event_type', required: 'error' },
    date: partOf(() => [ArchivalDate]),
    timestamp: { type: 'string' },
    outcome: { type: 'string', enumeration: 'event_outcome' },
    outcome_note: { type: 'string', maxLength: 16384 },
    linked_agents: {
      ...refsTo(agentKinds, {
        role: { type: 'string', enumeration: 'linked_agent_event_roles', required: 'error' },
      }),
      resolvedInSearch: true,
      required: 'error',
      minItems: 1,
    },
    linked_records: {
      ...refsTo(
        [
          'agent_person',
          'agent_family',
          'agent_corporate_entity',
          'agent_software',
          'accession',
          'resource',
          'digital_object',
          'archival_object',
          'digital_object_component',
          'top_container',
        ],
        {
          role: { type: 'string', enumeration: 'linked_event_archival_record_roles', required: 'error' },
        },
      ),
      resolvedInSearch: true,
      required: 'error',
      minItems: 1,
    },
    suppressed,
  },
  suppressible: true,
  tellsOf: 'linked_records',
  rules: [hasOneTime],
  inGlobalRepository: true,
  may: {
    read: 'view_repository',
    create: 'update_event_record',
    update: 'update_event_record',
    delete: 'delete_event_record',
    suppress: 'suppress_archival_record',
  },
  unique: [
    {
      name: 'event.refid',
      within: 'everywhere',
      key: (body) => textOf(body, 'refid') ?? null,
      property: 'db_error',
      says: 'Database integrity constraint conflict: the refid of an event must be unique',
    },
  ],
  // Times are kept and shown in UTC.
  generate: (body) => {
    const timestamp = toUtcTime(textOf(body, 'timestamp') ?? '');
    return timestamp === null ? body : { ...body, timestamp };
  },
  label: (body) => textOf(body, 'event_type') ?? '',
  labelProperty: null,
  stale: false,
  modifiedWith: modifiedWithLinked,
  search: {
    shownOnFarSide: ['linked_records'],
    fields: {
      title: { read: (record) => textOf(record, 'event_type') },
      ...copies('event_type outcome'),
      linked_record_uris: {
        type: 'string',
        isMulti: true,
        read: (record) => list(objectsOf(record, 'linked_records').flatMap(refOf)),
      },
      linked_record_titles: {
        type: 'string',
        isMulti: true,
        read: (record) => list(objectsOf(record, 'linked_records').flatMap(nameOf)),
      },
    },
  },
  firstId: 5,
  example: {
    event_type: 'accession',
    date: { date_type: 'single', label: 'event', begin: '2000' },
    linked_agents: [{ ref: '@agent_person', role: 'validator' }],
    linked_records: [{ ref: '@accession', role: 'source' }],
  },
});
