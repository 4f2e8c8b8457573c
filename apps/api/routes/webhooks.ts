// Webhooks: who is told of changes, what was sent, and sending it again. For administrators of the system (docs/guides/webhooks.md).
import { shape } from '../openapi/shape.ts';
import { accepted, deleted, updated } from '../openapi/shapes/envelopes.ts';
import { randomBytes } from 'node:crypto';
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf, textsOf } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { repository } from '#domain/kinds/repository.ts';
import { urlProblem } from '#domain/webhooks/address.ts';
import type { Reader } from '#store/connection/database.ts';
import { existing } from '#store/records/reading/existing.ts';
import { listDeliveries, pingWebhook, redeliver } from '#store/webhooks/deliveries.ts';
import type { WebhookBody } from '#store/webhooks/webhooks.ts';
import { createWebhook, deleteWebhook, readWebhook, readWebhooks, updateWebhook } from '#store/webhooks/webhooks.ts';
import { recordBody } from '../request/body.ts';
import { modifiedSince, pageParameters, toPage } from '../request/pagination.ts';
import { id, text } from '../request/parameters.ts';
import { deletedReply } from '../reply/envelopes.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { CheckedRecord } from '../services.ts';

const access = { all: ['administer_system'] } as const;
const area = 'webhooks';
const operations = ['create', 'update', 'delete'];

/** The body as the store takes it; what it names must exist. */
function bodyOf({ record }: CheckedRecord, allowPrivate: boolean): WebhookBody {
  const problems: { [path: string]: readonly string[] } = {};
  const url = textOf(record, 'url') ?? '';
  const problem = urlProblem(url, allowPrivate);
  if (problem !== null) problems['url'] = [problem];
  const unknownIn = (property: string, known: (value: string) => boolean): readonly string[] => {
    const values = textsOf(record, property);
    for (const [index, value] of values.entries())
      if (!known(value)) problems[`${property}/${index}`] = [`Unknown: ${value}`];
    return values;
  };
  const wanted = {
    kinds: unknownIn('kinds', (name) => kinds.has(name)),
    operations: unknownIn('operations', (name) => operations.includes(name)),
  };
  if (Object.keys(problems).length > 0) throw fail('invalid_record', problems, { warning: {}, invalid_object: '{}' });
  // The check of the body has seen that these are uris of repositories.
  const repositories = textsOf(record, 'repositories').map((uri) => parseUri(uri)?.id ?? 0);
  return { url, secret: textOf(record, 'secret') ?? null, ...wanted, repositories, active: record['active'] !== false };
}

/** Of a new webhook alone: one whose repository was deleted can still be changed. */
async function demandRepositories(reader: Reader, ids: readonly number[]): Promise<void> {
  const there = await existing(reader, repository, ids);
  const problems = ids.flatMap((each, index) =>
    there.has(each) ? [] : [[`repositories/${index}`, [`Unknown: /repositories/${each}`]] as const],
  );
  if (problems.length > 0)
    throw fail('invalid_record', Object.fromEntries(problems), { warning: {}, invalid_object: '{}' });
}

const createdWithSecret = shape.named(
  'webhook_created',
  shape.object({
    status: shape.oneOf('Created'),
    id: shape.integer,
    lock_version: shape.integer,
    stale: shape.schema({ type: 'null' }),
    uri: shape.uri,
    warnings: shape.list(shape.anything),
    secret: shape.text,
  }),
);

const create = defineRoute({
  method: 'POST',
  path: '/webhooks',
  operation: 'createWebhook',
  area,
  summary: 'Create a webhook',
  access,
  doc: 'Tells `url` of each change from now on, in order. Empty `kinds`, `repositories` and `operations` mean all. The reply alone shows the secret, which is made where none is given.',
  parameters: {},
  body: recordBody('webhook', 'create', { example: { url: 'https://example.org/changes', kinds: ['resource'] } }),
  // The answer holds the secret, which must not be kept.
  repeatable: false,
  replies: {
    200: { says: 'Created, with the secret that signs deliveries.', shape: createdWithSecret },
    400: 'The URL is not one that may be called, or a filter names what is not there.',
  },
  handler: async ({ body, caller, services }) => {
    const given = bodyOf(body, services.config.MUNIMENT_WEBHOOK_ALLOW_PRIVATE);
    await demandRepositories(services.database.reader, given.repositories);
    const secret = given.secret ?? randomBytes(32).toString('hex');
    const made = await services.database.transaction((tx) => createWebhook(tx, { ...given, secret }, caller.username));
    return {
      status: 'Created',
      id: made,
      lock_version: 0,
      stale: null,
      uri: `/webhooks/${made}`,
      warnings: [],
      secret,
    };
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/webhooks',
  operation: 'listWebhooks',
  area,
  summary: 'List webhooks',
  access,
  parameters: { modified_since: modifiedSince },
  replies: {
    200: { says: 'An array of all webhooks, without their secrets.', shape: shape.list(shape.record('webhook')) },
  },
  handler: ({ services, params }) => readWebhooks(services.database.reader, params.modified_since),
});

const read = defineRoute({
  method: 'GET',
  path: '/webhooks/:id',
  operation: 'getWebhook',
  area,
  summary: 'Read one webhook',
  access,
  etag: true,
  parameters: { id: id() },
  replies: {
    200: { says: 'The webhook, without its secret.', shape: shape.record('webhook') },
    404: 'Webhook not found',
  },
  handler: ({ services, params }) => readWebhook(services.database.reader, params.id),
});

const update = defineRoute({
  method: 'POST',
  path: '/webhooks/:id',
  operation: 'updateWebhook',
  area,
  summary: 'Replace one webhook',
  access,
  doc: 'Without `secret` the old one stays. What waits for an inactive webhook is sent when it is active again.',
  parameters: { id: id() },
  body: recordBody('webhook', 'update', {
    example: { url: 'https://example.org/changes', kinds: [], lock_version: 0 },
  }),
  replies: {
    200: { says: 'Updated.', shape: updated },
    404: 'Webhook not found',
    409: 'Another update came first.',
  },
  handler: async ({ body, params, caller, services }) => {
    const given = bodyOf(body, services.config.MUNIMENT_WEBHOOK_ALLOW_PRIVATE);
    const lockVersion = await services.database.transaction((tx) =>
      updateWebhook(tx, params.id, given, body.lockVersion, caller.username),
    );
    return {
      status: 'Updated',
      id: params.id,
      lock_version: lockVersion,
      stale: null,
      uri: `/webhooks/${params.id}`,
      warnings: [],
    };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/webhooks/:id',
  operation: 'deleteWebhook',
  area,
  summary: 'Delete one webhook with its log',
  access,
  parameters: { id: id() },
  replies: { 200: { says: 'Deleted.', shape: deleted }, 404: 'Webhook not found' },
  handler: async ({ params, services }) => {
    await services.database.transaction((tx) => deleteWebhook(tx, params.id));
    return deletedReply(params.id);
  },
});

const ping = defineRoute({
  method: 'POST',
  path: '/webhooks/:id/ping',
  operation: 'pingWebhook',
  area,
  summary: 'Send a ping',
  access,
  doc: 'Puts a delivery of type `ping` before the webhook, active or not. Its outcome is in the log.',
  parameters: { id: id() },
  replies: {
    200: {
      says: 'On its way.',
      shape: accepted,
      example: { status: 'Accepted', id: 1, uri: '/webhooks/1/deliveries' },
    },
    404: 'Webhook not found',
  },
  handler: async ({ params, caller, services }) =>
    onItsWay(
      params.id,
      await services.database.transaction((tx) =>
        pingWebhook(tx, params.id, caller.username, new Date().toISOString()),
      ),
    ),
});

const delivery = shape.named('webhook_delivery', shape.anyObject);

const deliveries = defineRoute({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  operation: 'listWebhookDeliveries',
  area,
  summary: 'What was sent, and what waits',
  access,
  parameters: {
    id: id(),
    page: { ...pageParameters.page, optional: true, default: 1 },
    page_size: pageParameters.page_size,
    status: text({ optional: true, doc: 'Only those that are pending, delivered or dead.' }),
  },
  replies: {
    200: { says: 'The newest first.', shape: shape.page(delivery) },
    404: 'Webhook not found',
  },
  handler: async ({ params, services }) => {
    const found = await listDeliveries(services.database.reader, params.id, params.status, {
      offset: (params.page - 1) * params.page_size,
      limit: params.page_size,
    });
    return toPage(params.page, params.page_size, found.total, found.deliveries);
  },
});

const again = defineRoute({
  method: 'POST',
  path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
  operation: 'redeliverWebhookDelivery',
  area,
  summary: 'Send a delivery again',
  access,
  doc: 'Whether it was delivered, given up or waits. It has all its attempts again.',
  parameters: { id: id(), delivery_id: id({ doc: 'Id of the delivery.' }) },
  replies: {
    200: {
      says: 'On its way.',
      shape: accepted,
      example: { status: 'Accepted', id: 1, uri: '/webhooks/1/deliveries' },
    },
    404: 'Delivery not found',
  },
  handler: async ({ params, services }) => {
    await services.database.transaction((tx) => redeliver(tx, params.id, params.delivery_id));
    return onItsWay(params.id, params.delivery_id);
  },
});

const onItsWay = (webhookId: number, deliveryId: number): JsonObject => ({
  status: 'Accepted',
  id: deliveryId,
  uri: `/webhooks/${webhookId}/deliveries`,
});

/** The routes of this file. */
export const webhookRoutes: readonly Route[] = [create, list, read, update, remove, ping, deliveries, again];
