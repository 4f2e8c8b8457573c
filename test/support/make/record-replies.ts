// Records as their GETs answer them, made without a database: the least of which a search document is made.
import type { JsonObject } from '#domain/json.ts';

/** Kind, and the record with its refs resolved. */
export type RecordReply = readonly [kind: string, record: JsonObject];

const times = {
  create_time: '2026-01-02T03:04:05Z',
  system_mtime: '2026-01-02T03:04:05Z',
  user_mtime: '2026-01-02T03:04:05Z',
};

/** A published collection; `fields` are put over it. */
export function resource(id: number, fields: JsonObject, repoId = 2): RecordReply {
  return [
    'resource',
    {
      uri: `/repositories/${repoId}/resources/${id}`,
      repository: { ref: `/repositories/${repoId}` },
      jsonmodel_type: 'resource',
      publish: true,
      level: 'collection',
      ...times,
      ...fields,
    },
  ];
}

/** A published file directly below resource 1 of its repository. */
export function component(id: number, fields: JsonObject, repoId = 2): RecordReply {
  return [
    'archival_object',
    {
      uri: `/repositories/${repoId}/archival_objects/${id}`,
      repository: { ref: `/repositories/${repoId}` },
      jsonmodel_type: 'archival_object',
      publish: true,
      level: 'file',
      resource: { ref: `/repositories/${repoId}/resources/1` },
      ...times,
      ...fields,
    },
  ];
}

/** A published person, by the form of the name that is sorted by. */
export function person(id: number, sortName: string): RecordReply {
  return [
    'agent_person',
    {
      uri: `/agents/people/${id}`,
      jsonmodel_type: 'agent_person',
      publish: true,
      display_name: { sort_name: sortName },
      ...times,
    },
  ];
}
