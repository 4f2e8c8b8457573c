// The audit log, as administrators read it. Entries are written where what they tell of is done (access/audit.ts).
import { shape } from '../openapi/shape.ts';
import { auditEvents, readAudit } from '#store/access/audit.ts';
import { lastSecond, pageParameters, toPage } from '../request/pagination.ts';
import { cutInteger, text, username } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const entry = shape.named(
  'audit_entry',
  shape.object({
    id: shape.integer,
    at: shape.time,
    event: shape.oneOf(...auditEvents),
    actor: shape.says(shape.nullable(shape.text), 'User name; null: nobody, or the service itself.'),
    address: shape.says(shape.nullable(shape.text), 'Of the client.'),
    request_id: shape.says(shape.nullable(shape.text), 'That of the log and of X-Request-Id.'),
    subject: shape.says(shape.nullable(shape.text), 'Uri of what it was done to.'),
    details: shape.anyObject,
  }),
);

const isEvent = (value: string): string | null =>
  auditEvents.some((event) => event === value) ? null : `must be one of: ${auditEvents.join(', ')}`;
const time = (doc: string) => cutInteger(0, lastSecond)({ optional: true, doc: `${doc}, in seconds since 1970.` });

const list = defineRoute({
  method: 'GET',
  path: '/system/audit',
  operation: 'listAuditEntries',
  area: 'system',
  summary: 'Who did what to accounts and permissions',
  doc: 'An addition of Muniment. Logins and those that failed, changes of users, passwords, groups and permissions, reports with contact details, purges. Kept for MUNIMENT_AUDIT_DAYS.',
  access: { all: ['administer_system'] },
  parameters: {
    page: { ...pageParameters.page, optional: true, default: 1 },
    page_size: pageParameters.page_size,
    event: text({ optional: true, doc: 'Only entries of this event.', example: 'login_failed', check: isEvent }),
    actor: username({ optional: true, doc: 'Only what this user did.' }),
    subject: text({ optional: true, doc: 'Only what was done to this uri.', example: '/users/1' }),
    since: time('Only entries of this time and later'),
    until: time('Only entries from before this time'),
  },
  replies: { 200: { says: 'The newest first.', shape: shape.page(entry) } },
  handler: async ({ params, services }) => {
    const { page, page_size: size, ...filter } = params;
    const { total, entries } = await readAudit(services.database.reader, filter, {
      offset: (page - 1) * size,
      limit: size,
    });
    return toPage(page, size, total, entries);
  },
});

/** The routes of this file. */
export const auditRoutes: readonly Route[] = [list];
