// What every operation of the document has, and how its parts follow from what routes declare.
import { existsSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { kinds } from '#domain/kinds/index.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '#domain/json.ts';
import { areaText } from '../../../../apps/api/openapi/areas.ts';
import { bodyExample, firstUri, patchExample } from '../../../../apps/api/openapi/examples.ts';
import { failureComponents, failureReplies } from '../../../../apps/api/openapi/failures.ts';
import { toPathItems } from '../../../../apps/api/openapi/operations.ts';
import { headersOf, toParameters } from '../../../../apps/api/openapi/parameters.ts';
import { toReplies } from '../../../../apps/api/openapi/replies.ts';
import { toRequestBody } from '../../../../apps/api/openapi/request-body.ts';
import { shape } from '../../../../apps/api/openapi/shape.ts';
import { multipart, recordBody } from '../../../../apps/api/request/body.ts';
import { id, repositoryId, text } from '../../../../apps/api/request/parameters.ts';
import { areaOf, operationName, operationNames, pascal } from '../../../../apps/api/record-routes/names.ts';
import { defineRoute } from '../../../../apps/api/route.ts';
import { documentOf, operationsOf } from '#test/support/openapi-document.ts';
import { projectRoot } from '#test/support/service.ts';

const common = { area: 'tests', summary: 'Test', access: 'public', handler: () => null } as const;
const fine = { 200: { says: 'Fine.', shape: shape.named('fine', shape.object({ n: shape.nullable(shape.integer) })) } };

describe.each(['R-A', 'R-B'] as const)('the document of %s', (release) => {
  const document = documentOf(release);
  const operations = operationsOf(document);

  it('names every operation once, in words that read well in a client', () => {
    const names = operations.map(({ operation }) => String(operation['operationId']));
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['listResources', 'getArchivalObject', 'exportResourceAsEad']));
  });
  it('has every path once, whatever its parameters are called', () => {
    const paths = Object.keys(objectOf(document, 'paths') ?? {}).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(paths).size).toBe(paths.length);
  });
  it('says what each operation answers, what it needs, and which release has it', () => {
    // These refuse whatever they are asked, as the contract has it.
    const refusing = ['sendPasswordReset', 'loginWithToken', 'getPublishedTree', 'snapshotDatabase'];
    for (const { operation } of operations) {
      const name = String(operation['operationId']);
      const replies = Object.entries(objectOf(operation, 'responses') ?? {});
      const successes = replies.filter(([status]) => /^2|^30[0-3]/.test(status));
      expect(successes.length > 0, name).toBe(!refusing.includes(name));
      for (const [status, reply] of replies) {
        // Those that many operations share are described as components.
        const says = isObject(reply) ? (reply['$ref'] ?? reply['description']) : '';
        expect(says, `${name} ${status}`).toMatch(/\w/);
        if (/^2|^300/.test(status)) expect(isObject(reply) && reply['content'], `${name} ${status}`).toBeDefined();
      }
      expect(operation['x-permission'], name).toBeDefined();
      expect(operation['x-release'], name).toBeDefined();
    }
  });
  it('marks what the older release alone has as deprecated in the newer one', () => {
    const deprecated = operations.filter(({ operation }) => operation['deprecated'] === true);
    expect(deprecated.map(({ operation }) => operation['operationId'])).toEqual(
      release === 'R-A' ? [] : ['showConfiguration', 'snapshotDatabase', 'exportResourceAsPdf'],
    );
  });
  it('says that a job may publish and suppress what may have much below it, and delete what many may link to, and nothing else', () => {
    const ofJobs: { [verb: string]: string[] } = {};
    for (const { operation } of operations) {
      const [, verb = '', what = ''] =
        /^(delete|publish|unpublish|suppress)([A-Z]\w*)$/.exec(String(operation['operationId'])) ?? [];
      if (verb !== '' && objectOf(operation, 'responses')?.['202'] !== undefined) (ofJobs[verb] ??= []).push(what);
    }
    expect(Object.fromEntries(Object.entries(ofJobs).map(([verb, those]) => [verb, those.toSorted()]))).toEqual({
      delete: [
        ...['Accession', 'AgentCorporateEntity', 'AgentFamily', 'AgentPerson', 'AgentSoftware', 'ArchivalObject'],
        ...['Assessment', 'Classification', 'ClassificationTerm', 'ContainerProfile', 'CustomReportTemplate'],
        ...['DigitalObject', 'DigitalObjectComponent', 'Event', 'Location', 'LocationProfile', 'RdeTemplate'],
        ...['Records', 'Repository', 'Resource', 'Subject', 'TopContainer'],
      ],
      publish: ['ArchivalObject', 'DigitalObject', 'Resource'],
      unpublish: ['ArchivalObject', 'Resource'],
      suppress: ['ArchivalObject', 'DigitalObject', 'DigitalObjectComponent', 'Resource'],
    });
  });
  it('describes every area, in one form', () => {
    const tags = objectsOf(document, 'tags');
    for (const tag of tags) {
      expect(tag['name']).toMatch(/^(OAI-PMH|[a-z]+( [a-z]+)*)$/);
      expect(tag['description'], String(tag['name'])).not.toBe(tag['name']);
    }
    expect(areaText('nothing')).toBeUndefined();
  });
  it('shows a body for every operation that takes one, and curl names files that exist', () => {
    for (const { operation } of operations) {
      const source = JSON.stringify(operation['x-codeSamples']);
      for (const [, file = ''] of source.matchAll(/(?:=@|-T ')([^'\\]+)'/g))
        expect(existsSync(`${projectRoot}${file}`), file).toBe(true);
      const content = Object.values(objectOf(objectOf(operation, 'requestBody'), 'content') ?? {});
      for (const media of content)
        expect(
          (isObject(media) && media['example'] !== undefined) || /(?:=@|-T ')/.test(source),
          String(operation['operationId']),
        ).toBe(true);
    }
  });
});

it('shows bodies that its own schemas allow', () => {
  const document = documentOf('R-B');
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  ajv.addSchema(document, 'document');
  const wrong = operationsOf(document).flatMap(({ operation }) => {
    const media = objectOf(objectOf(objectOf(operation, 'requestBody'), 'content'), 'application/json');
    const schema = JSON.stringify(media?.['schema'] ?? true);
    // Whole records are checked by those who store them, and take seconds to compile.
    const isRecord = kinds.has(/"#\/components\/schemas\/(\w+)"/.exec(schema)?.[1] ?? '');
    if (media?.['example'] === undefined || isRecord) return [];
    const isAllowed = ajv.validate(JSON.parse(schema.replaceAll('"#/', '"document#/')), media['example']);
    return isAllowed ? [] : [`${String(operation['operationId'])}: ${ajv.errorsText()}`];
  });
  expect(wrong).toEqual([]);
});

describe('the parts of an operation', () => {
  const route = defineRoute({
    ...common,
    method: ['GET', 'POST'],
    path: '/repositories/:repo_id/tests/:id',
    operation: 'test',
    etag: true,
    parameters: { repo_id: repositoryId(), id: id(), q: text({ doc: 'A word.' }) },
    replies: { ...fine, 404: 'No test.' },
  });
  it('follow from the route: names of further methods, parameters, headers, failures', () => {
    const item = toPathItems([route], { header: 'x', release: 'R-B' })['/repositories/{repo_id}/tests/{id}'];
    const names = isObject(item)
      ? Object.values(item).map((each) => (isObject(each) ? each['operationId'] : null))
      : [];
    expect(names).toEqual(['test', 'testByPost']);
    expect(toParameters(route, 'GET')).toMatchObject([
      { name: 'repo_id', in: 'path', example: 2 },
      { name: 'id', in: 'path', example: 1 },
      { name: 'q', in: 'query', required: true, description: 'A word.' },
    ]);
    expect(headersOf(route, 'GET').map(({ name }) => name)).toEqual(['If-None-Match']);
    const replies = toReplies(route, 'GET');
    expect(Object.keys(replies)).toEqual(['200', '304', '400', '404', '412', 'default']);
    expect(replies['default']).toEqual({ $ref: '#/components/responses/OtherFailure' });
    expect(failureReplies.OtherFailure.description).toContain('429');
    expect(Object.keys(failureComponents)).toEqual(['Error', 'Problem']);
  });
  it('join paths that differ by the names of their parameters alone', () => {
    const other = defineRoute({
      ...common,
      method: 'DELETE',
      path: '/repositories/:repo/tests/:test_id',
      operation: 'deleteTest',
      parameters: { repo: id(), test_id: id() },
      replies: fine,
    });
    const paths = toPathItems([route, other], { header: 'x', release: 'R-B' });
    expect(Object.keys(paths)).toEqual(['/repositories/{repo_id}/tests/{id}']);
    expect(JSON.stringify(objectOf(paths['/repositories/{repo_id}/tests/{id}'] as JsonObject, 'delete'))).not.toContain(
      'test_id',
    );
  });
  it('describe a multipart form with its fields and files', () => {
    const upload = defineRoute({
      ...common,
      method: 'POST',
      path: '/tests',
      operation: 'uploadTest',
      parameters: { title: text() },
      body: multipart(),
      replies: fine,
    });
    expect(toRequestBody(upload, 'POST')).toMatchObject({
      content: {
        'multipart/form-data': {
          schema: { required: ['title', 'files[]'], properties: { 'files[]': { items: { format: 'binary' } } } },
        },
      },
    });
    expect(toParameters(upload, 'POST')).toEqual([]);
  });
  it('take examples of records from their kinds, with the address of a first record for each ref', () => {
    expect(firstUri('resource')).toBe('/repositories/2/resources/1');
    const example = bodyExample(recordBody('archival_object', 'update'));
    expect(JSON.stringify(example)).not.toContain('@');
    expect(example).toMatchObject({ resource: { ref: '/repositories/2/resources/1' }, lock_version: 0 });
    const { example: accession } = kindNamed('accession');
    const [first = ''] = Object.keys(patchExample(accession));
    expect(patchExample(accession)).toEqual({ [first]: textOf(accession, first), lock_version: 0 });
  });
  it('are named after the address of a kind', () => {
    expect([operationName, operationNames, areaOf].map((name) => name(kindNamed('agent_person')))).toEqual([
      'AgentPerson',
      'AgentPeople',
      'agent people',
    ]);
    expect(operationNames(kindNamed('archival_object'))).toBe('ArchivalObjects');
    expect(pascal('find_by_id')).toBe('FindById');
  });
});
