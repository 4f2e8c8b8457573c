// What sub-records show of their record, as their schemas declare it: audit fields, addresses by place, the repository.
import { expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { fileVersionIdentifier, managementUri, revisionStatementUri, telephoneUri } from '#domain/rules/part-uris.ts';
import { withShownParts } from '#store/records/reading/shown-parts.ts';

const time = '2026-01-02T03:04:05Z';
const audit = { created_by: 'ann', last_modified_by: 'ann', create_time: time, system_mtime: time, user_mtime: time };

/** The body of a record of a kind with id 7 as a reply shows it. */
function shown(kindName: string, body: JsonObject, release: 'R-A' | 'R-B' = 'R-B'): JsonObject {
  const kind = kindNamed(kindName);
  const text = JSON.stringify(body);
  const row = {
    kind: kindName,
    id: 7,
    repo_id: kind.scope === 'repository' ? 2 : null,
    lock_version: 3,
    publish: null,
    suppressed: false,
    label: '',
    created_by: 'eve',
    last_modified_by: 'ann',
    create_time: time,
    system_mtime: time,
    user_mtime: time,
    body: text,
  };
  return JSON.parse(`{${withShownParts(kind, row, text.slice(1), release)}`);
}

const telephone = { jsonmodel_type: 'telephone', number: '1' };

test('telephones are counted in each contact, and have no version', () => {
  const contacts = [
    { jsonmodel_type: 'agent_contact', name: 'a', telephones: [telephone, telephone] },
    { jsonmodel_type: 'agent_contact', name: 'b', telephones: [telephone] },
  ];
  const uri = (contact: number, place: number): JsonObject => ({
    ...telephone,
    ...audit,
    uri: telephoneUri('agent_person', 7, contact, place),
  });
  expect(shown('agent_person', { agent_contacts: contacts })).toEqual({
    agent_contacts: [
      { ...contacts[0], lock_version: 0, ...audit, telephones: [uri(0, 0), uri(0, 1)] },
      { ...contacts[1], lock_version: 0, ...audit, telephones: [uri(1, 0)] },
    ],
  });
});

test('a revision statement has an address in R-A alone, and its repository in both', () => {
  const statement = { jsonmodel_type: 'revision_statement', date: '1999' };
  const whole = { ...statement, lock_version: 0, ...audit, repository: { ref: '/repositories/2' } };
  const body = { revision_statements: [statement, statement] };
  expect(shown('resource', body)).toEqual({ revision_statements: [whole, whole] });
  expect(shown('resource', body, 'R-A')).toEqual({
    revision_statements: [0, 1].map((place) => ({ ...whole, uri: revisionStatementUri(7, 2, place) })),
  });
});

test('collection management shows its repository, its address and its record, in this order', () => {
  const { collection_management: management } = shown('accession', {
    collection_management: { jsonmodel_type: 'collection_management', processors: 'p' },
  });
  expect(management).toEqual({
    jsonmodel_type: 'collection_management',
    processors: 'p',
    lock_version: 0,
    ...audit,
    repository: { ref: '/repositories/2' },
    uri: managementUri('accession', 7, 2),
    parent: { ref: '/repositories/2/accessions/7' },
  });
  expect(JSON.stringify(management)).toMatch(/"repository":.*"uri":.*"parent":/);
});

test('the representative file version is identified as the one it is a copy of', () => {
  const version = (uri: string): JsonObject => ({ jsonmodel_type: 'file_version', file_uri: uri });
  const { representative_file_version: copy, file_versions: all } = shown('digital_object', {
    file_versions: [version('a'), version('b')],
    representative_file_version: version('b'),
  });
  expect(all).toMatchObject([0, 1].map((place) => ({ identifier: fileVersionIdentifier('digital_object', 7, place) })));
  expect(copy).toMatchObject({ file_uri: 'b', identifier: fileVersionIdentifier('digital_object', 7, 1) });
});

test('links with times have those of the record in a form of their own, and other parts a version of 0', () => {
  const location = { ref: '/locations/1', jsonmodel_type: 'container_location' };
  const linkTime = '2026-01-02 03:04:05 UTC';
  expect(shown('top_container', { container_locations: [location] })).toEqual({
    container_locations: [{ ...location, system_mtime: linkTime, user_mtime: linkTime }],
  });
  expect(shown('resource', { dates: [{ jsonmodel_type: 'date' }] })).toEqual({
    dates: [{ lock_version: 0, ...audit, jsonmodel_type: 'date' }],
  });
});

test('what a client writes is never taken for the beginning of a sub-record', () => {
  const text = '{"jsonmodel_type":"telephone"';
  expect(shown('accession', { title: text })).toEqual({ title: text });
});
