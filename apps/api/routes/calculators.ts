// What the parts of a record amount to: the time they cover, and the shelf space of their containers (contract trees-and-jobs 5).
import { dateSpan, shelfSpace } from '../openapi/shapes/calculators.ts';
import type { z } from 'zod';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { Calculated, CalculationPayload } from '#domain/calculators/calculated.ts';
import { datesReply, directComponents, extentReply } from '#domain/calculators/calculated.ts';
import { extentUnits, shelfExtent, writeExtentReply } from '#domain/extents/shelf-extent.ts';
import { fail } from '#domain/errors.ts';
import type { JobDeclaration } from '#domain/job.ts';
import { calculateDates } from '#domain/jobs/calculate-dates.ts';
import { calculateExtent } from '#domain/jobs/calculate-extent.ts';
import type { Json } from '#domain/json.ts';
import { can } from '#domain/access/caller.ts';
import { readCalculated, readContainersByProfile, readDateSpan } from '#store/calculators/read.ts';
import { hasMoreBelow } from '#store/records/visibility/reach.ts';
import { acceptedReply } from '../openapi/shapes/envelopes.ts';
import { prefersSuppressed } from '../access/permission.ts';
import { runJob } from '../record-routes/jobs.ts';
import { viewerOf } from '../record-routes/viewing.ts';
import type { Reply } from '../reply/reply.ts';
import { jsonText } from '../reply/reply.ts';
import { text } from '../request/parameters.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';

const area = 'calculators';

type Asked = {
  readonly call: Call<unknown, unknown>;
  readonly uri: string;
  readonly kinds: readonly string[];
  readonly isOpen: boolean;
};

/** The record in a uri. `isOpen`: published records of published repositories are shown to everybody. Fails with `bad_parameter`, `access_denied` or `not_found`. */
async function calculatedRecord({ call, uri, kinds, isOpen }: Asked): Promise<Calculated> {
  const { services, caller } = call;
  const address = parseUri(uri);
  if (address === null || address.repoId === null || !kinds.includes(address.kind))
    throw fail('bad_parameter', { record_uri: [`Must be the uri of one of: ${kinds.join(', ')}`] });
  const mayView = can(caller, 'view_repository', address.repoId);
  // Before the record is looked for: whether it exists is nobody else's business either.
  if (!mayView && !isOpen) throw fail('access_denied', 'Access denied');
  const { kind, id, repoId } = address;
  const wantsSuppressed = await prefersSuppressed(services, caller, repoId);
  const { seesSuppressed } = viewerOf({ services, caller, repoId, wantsSuppressed });
  const record = await readCalculated(services.database.reader, { kind, id, repoId, seesSuppressed });
  if (!mayView && record?.isPublic !== true) throw fail('access_denied', 'Access denied');
  if (record === null) throw fail('not_found', `${kindNamed(address.kind).model} not found`);
  return record;
}

/** Whether there is so much below the record that a job adds it up. */
const isHeavy = ({ database }: Services, { kind, id, repoId }: Calculated): Promise<boolean> =>
  hasMoreBelow(database.reader, [[repoId, [{ kind: kindNamed(kind), id }]]], directComponents);

/** The reply of a job that adds up, or the 202 of one that the caller does not wait for. `given` is what the job is told besides the record. */
async function calculated<Given extends object>(
  call: Call<unknown, unknown>,
  { repoId, kind, id, seesSuppressed: wantsSuppressed }: Calculated,
  declaration: JobDeclaration<z.output<typeof CalculationPayload> & Given>,
  given: Given,
): Promise<{ readonly early: Reply } | { readonly early: null; readonly value: Json }> {
  const actor = call.caller.username;
  // Published records are calculated for everybody, but jobs of a repository are for those who may view it.
  const mayFollow = can(call.caller, 'view_repository', repoId);
  return runJob(
    call,
    declaration,
    { repoId, kind, id, actor, wantsSuppressed, ...given },
    { repoId, owner: actor },
    { onlyReads: true, mayFollow },
  );
}

const dates = defineRoute({
  method: 'GET',
  path: '/date_calculator',
  operation: 'calculateDates',
  area,
  summary: 'The time that the parts of a record cover',
  doc: 'From the begins and ends of the dates of the components below; release R-A counts the dates of the record itself as well. Needs view_repository in the repository of the record. Suppressed components count; a suppressed record itself is found by those who see it there. What has more than 1000 components is calculated by a job, for which the request waits.',
  access: 'public',
  parameters: {
    record_uri: text({ doc: 'Uri of a resource or an archival object.' }),
    label: text({ optional: true, doc: 'Only dates with this label.' }),
  },
  replies: {
    200: {
      says: 'The earliest begin and the latest end, as days and as they are written; null where there are none.',
      shape: dateSpan,
    },
    ...acceptedReply,
    400: 'The uri is of another kind.',
    403: 'The record is in a repository that the caller may not view.',
    404: 'There is no such record.',
  },
  handler: async (call) => {
    const { services, params, release } = call;
    const record = await calculatedRecord({
      call,
      uri: params.record_uri,
      kinds: ['resource', 'archival_object'],
      isOpen: false,
    });
    const { label } = params;
    const withOwn = release === 'R-A';
    if (await isHeavy(services, record)) {
      const end = await calculated(call, record, calculateDates, { label, withOwn });
      return end.early ?? end.value;
    }
    return datesReply(record, label, await readDateSpan(services.database.reader, record, label, withOwn));
  },
});

const extents = defineRoute({
  method: 'GET',
  path: '/extent_calculator',
  operation: 'calculateExtent',
  area,
  summary: 'The shelf space of the containers of a record',
  doc: 'Counts each container of the record and of all below it once, by the side of its profile that counts, or by its volume where MUNIMENT_EXTENT_VOLUME is set: then `volume` is true, extents are in cubes of `units`, and `containers` goes by the names of profiles rather than by their display strings. Open to everybody for published records of published repositories; others need view_repository. Suppressed components count; a suppressed record itself is found by those who see it there. What has more than 1000 components is calculated by a job, for which the request waits; who may not view the repository cannot ask for its address.',
  access: 'public',
  parameters: {
    record_uri: text({ doc: 'Uri of a resource, an archival object or an accession.' }),
    unit: text({
      optional: true,
      doc: `The unit of the result: ${extentUnits.join(', ')}. Absent: MUNIMENT_EXTENT_UNIT, else the unit of the first profile met.`,
    }),
  },
  replies: {
    200: { says: 'The total, and containers by profile.', shape: shelfSpace },
    ...acceptedReply,
    400: 'The uri is of another kind, or no such unit.',
    403: 'The record is not published.',
    404: 'There is no such record.',
  },
  handler: async (call) => {
    const { services, params } = call;
    const unit = params.unit === '' ? null : params.unit;
    if (unit !== null && !extentUnits.includes(unit))
      throw fail('bad_parameter', { unit: [`Must be one of: ${extentUnits.join(', ')}`] });
    const record = await calculatedRecord({
      call,
      uri: params.record_uri,
      kinds: ['resource', 'archival_object', 'accession'],
      isOpen: true,
    });
    const {
      MUNIMENT_EXTENT_UNIT: usual = null,
      MUNIMENT_EXTENT_DECIMALS: decimals,
      MUNIMENT_EXTENT_VOLUME: isVolume,
    } = services.config;
    const form = { unit: unit ?? usual, decimals, isVolume };
    if (await isHeavy(services, record)) {
      const end = await calculated(call, record, calculateExtent, { form });
      return end.early ?? jsonText(writeExtentReply(end.value));
    }
    const extent = shelfExtent(await readContainersByProfile(services.database.reader, record), form);
    return jsonText(writeExtentReply(extentReply(record, extent, new Date())));
  },
});

/** The routes of this file. */
export const calculatorRoutes: readonly Route[] = [dates, extents];
