// What the parts of a record amount to: the time they cover, and the shelf space of their containers (contract trees-and-jobs 5).
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import { extentUnits, shelfExtent } from '#domain/extents/shelf-extent.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import { can } from '#domain/access/caller.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Calculated } from '#store/calculators/read.ts';
import { readCalculated, readContainersByProfile, readDateSpan } from '#store/calculators/read.ts';
import { text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';

const area = 'calculators';

type Asked = {
  readonly services: Services;
  readonly caller: Caller;
  readonly uri: string;
  readonly kinds: readonly string[];
  readonly isOpen: boolean;
};

/** The record in a uri. `isOpen`: published records are shown to everybody. Fails with `bad_parameter`, `access_denied` or `not_found`. */
async function calculatedRecord({ services, caller, uri, kinds, isOpen }: Asked): Promise<Calculated> {
  const address = parseUri(uri);
  if (address === null || address.repoId === null || !kinds.includes(address.kind))
    throw fail('bad_parameter', { record_uri: [`Must be the uri of one of: ${kinds.join(', ')}`] });
  const mayView = can(caller, 'view_repository', address.repoId);
  // Before the record is looked for: whether it exists is nobody else's business either.
  if (!mayView && !isOpen) throw fail('access_denied', 'Access denied');
  const record = await readCalculated(services.database.reader, address.kind, address.id, address.repoId);
  if (!mayView && record?.isPublic !== true) throw fail('access_denied', 'Access denied');
  if (record === null) throw fail('not_found', `${kindNamed(address.kind).model} not found`);
  return record;
}

const resourceOf = ({ resource: root, repoId }: Calculated): JsonObject | null =>
  root === null ? null : { uri: uriOf(resource, root.id, repoId), title: root.title };
const objectOf = ({ kind, id, repoId, title }: Calculated): JsonObject => ({
  uri: uriOf(kindNamed(kind), id, repoId),
  jsonmodel_type: kind,
  title,
});

const dates = defineRoute({
  method: 'GET',
  path: '/date_calculator',
  area,
  summary: 'The time that the parts of a record cover',
  doc: 'From the begins and ends of the dates of the components below; release R-A counts the dates of the record itself as well. Needs view_repository in the repository of the record.',
  access: 'public',
  parameters: {
    record_uri: text({ doc: 'Uri of a resource or an archival object.' }),
    label: text({ optional: true, doc: 'Only dates with this label.' }),
  },
  replies: {
    200: 'The earliest begin and the latest end, as days and as they are written; null where there are none.',
    400: 'The uri is of another kind.',
    403: 'The record is in a repository that the caller may not view.',
    404: 'There is no such record.',
  },
  handler: async ({ services, caller, params, release }) => {
    const record = await calculatedRecord({
      services,
      caller,
      uri: params.record_uri,
      kinds: ['resource', 'archival_object'],
      isOpen: false,
    });
    const span = await readDateSpan(services.database.reader, record, params.label, release === 'R-A');
    return {
      object: { ...objectOf(record), id: record.id },
      resource: resourceOf(record),
      label: params.label,
      ...span,
    };
  },
});

const extents = defineRoute({
  method: 'GET',
  path: '/extent_calculator',
  area,
  summary: 'The shelf space of the containers of a record',
  doc: 'Counts each container of the record and of all below it once, by the side of its profile that counts, or by its volume where MUNIMENT_EXTENT_VOLUME is set: then `volume` is true, extents are in cubes of `units`, and `containers` goes by the names of profiles rather than by their display strings. Open to everybody for published records; others need view_repository.',
  access: 'public',
  parameters: {
    record_uri: text({ doc: 'Uri of a resource, an archival object or an accession.' }),
    unit: text({
      optional: true,
      doc: `The unit of the result: ${extentUnits.join(', ')}. Absent: MUNIMENT_EXTENT_UNIT, else the unit of the first profile met.`,
    }),
  },
  replies: {
    200: 'The total, and containers by profile.',
    400: 'The uri is of another kind, or no such unit.',
    403: 'The record is not published.',
    404: 'There is no such record.',
  },
  handler: async ({ services, caller, params }) => {
    const unit = params.unit === '' ? null : params.unit;
    if (unit !== null && !extentUnits.includes(unit))
      throw fail('bad_parameter', { unit: [`Must be one of: ${extentUnits.join(', ')}`] });
    const record = await calculatedRecord({
      services,
      caller,
      uri: params.record_uri,
      kinds: ['resource', 'archival_object', 'accession'],
      isOpen: true,
    });
    const {
      MUNIMENT_EXTENT_UNIT: usual = null,
      MUNIMENT_EXTENT_DECIMALS: decimals,
      MUNIMENT_EXTENT_VOLUME: isVolume,
    } = services.config;
    const extent = shelfExtent(await readContainersByProfile(services.database.reader, record), {
      unit: unit ?? usual,
      decimals,
      isVolume,
    });
    return {
      object: objectOf(record),
      resource: record.kind === 'archival_object' ? resourceOf(record) : null,
      ...extent,
      timestamp: `${new Date().toISOString().slice(0, 19)}+00:00`,
    };
  },
});

/** The routes of this file. */
export const calculatorRoutes: readonly Route[] = [dates, extents];
