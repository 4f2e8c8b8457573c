// The extent calculator as an installation configures it: unit, decimals and volumes (contract trees-and-jobs 5.2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCalculated, readContainersByProfile, readDateSpan } from '#store/calculators/read.ts';
import { startTestApi } from '#test/support/api.ts';
import type { TestApi } from '#test/support/api.ts';
import { counting } from '#test/support/count-statements.ts';
import { resourceBody } from '#test/support/records.ts';

type Made = {
  readonly api: TestApi;
  readonly repoId: number;
  readonly resource: string;
  readonly bare: string;
  readonly boxed: string;
};

/** A service with a resource of three boxes in inches, two tubes in centimeters and a container without a profile; an accession of a box; and one of nothing. */
async function made(environment: { readonly [name: string]: string }): Promise<Made> {
  const api = await startTestApi({ worker: false, environment });
  const repoId = await api.repository();
  const at = `/repositories/${repoId}`;
  const box = await api.create('/container_profiles', {
    name: 'Box',
    dimension_units: 'inches',
    extent_dimension: 'width',
    width: '5',
    height: '10',
    depth: '12.25',
  });
  const tube = await api.create('/container_profiles', {
    name: 'Tube',
    dimension_units: 'centimeters',
    extent_dimension: 'depth',
    width: '10',
    height: '10',
    depth: '101.5',
  });
  const containers: string[] = [];
  for (const [index, profile] of [box, box, box, tube, tube, null].entries())
    containers.push(
      await api.create(`${at}/top_containers`, {
        indicator: `${index}`,
        type: 'box',
        ...(profile === null ? {} : { container_profile: { ref: profile } }),
      }),
    );
  const instances = (some: readonly string[]) => ({
    instances: some.map((ref) => ({ instance_type: 'mixed_materials', sub_container: { top_container: { ref } } })),
  });
  const resource = await api.create(`${at}/resources`, resourceBody('X1', instances(containers.slice(0, 2))));
  await api.create(`${at}/archival_objects`, {
    title: 'File',
    level: 'file',
    resource: { ref: resource },
    ...instances(containers.slice(1)),
  });
  const accession = (id_0: string, some: readonly string[]) =>
    api.create(`${at}/accessions`, { title: id_0, id_0, accession_date: '2020-01-01', ...instances(some) });
  return {
    api,
    repoId,
    resource,
    bare: await accession('bare', []),
    boxed: await accession('box', containers.slice(0, 1)),
  };
}

const ask = async ({ api }: Made, record_uri: string, unit?: string) => {
  const reply = await api.get(
    `/extent_calculator?${new URLSearchParams({ record_uri, ...(unit === undefined ? {} : { unit }) })}`,
  );
  expect(reply.status, reply.text).toBe(200);
  return reply;
};

describe('with a unit, decimals and volumes configured', () => {
  let service: Made;
  beforeAll(async () => {
    service = await made({
      MUNIMENT_EXTENT_UNIT: 'feet',
      MUNIMENT_EXTENT_DECIMALS: '4',
      MUNIMENT_EXTENT_VOLUME: 'true',
    });
  });
  afterAll(() => service.api[Symbol.asyncDispose]());

  it('reports cubes of the unit, by the names of profiles', async () => {
    const { text, json } = await ask(service, service.resource);
    // 3 x 5 x 10 x 12.25 / 1728 cubic feet, and 2 x 10 x 10 x 101.5 / 30.48³.
    expect(text.trimEnd()).toBe(
      JSON.stringify({
        object: { uri: service.resource, jsonmodel_type: 'resource', title: 'Resource X1' },
        resource: null,
        total_extent: 1.7803,
        container_count: 6,
        container_without_profile_count: 1,
        units: 'feet',
        volume: true,
        containers: { Box: { count: 3, extent: 1.0634 }, Tube: { count: 2, extent: 0.7169 } },
        timestamp: json.timestamp,
      }),
    );
  });

  it('converts to the unit of the request', async () => {
    expect((await ask(service, service.resource, 'centimeters')).json).toMatchObject({
      total_extent: 50_411.2301,
      units: 'centimeters',
      volume: true,
      containers: { Box: { extent: 30_111.2301 }, Tube: { extent: 20_300 } },
    });
  });

  it('has the unit where there is nothing to measure', async () => {
    expect((await ask(service, service.bare)).json).toMatchObject({
      total_extent: 0,
      container_count: 0,
      units: 'feet',
      volume: true,
      containers: {},
    });
    expect((await ask(service, service.bare, 'meters')).json).toMatchObject({ total_extent: 0, units: 'meters' });
  });

  it('takes one statement, however many containers there are, as do dates', async () => {
    const { database } = service.api;
    const id = Number(service.resource.split('/').at(-1));
    const record = await readCalculated(database.reader, {
      kind: 'resource',
      id,
      repoId: service.repoId,
      seesSuppressed: false,
    });
    if (record === null) throw new Error('the resource is gone');
    await database.transaction(async (tx) => {
      const counted = counting(tx);
      expect((await readContainersByProfile(counted.tx, record)).map(({ count }) => count)).toEqual([3, 2, 1]);
      expect(counted.count()).toBe(1);
      await readDateSpan(counted.tx, record, null, true);
      expect(counted.count()).toBe(2);
    });
  });
});

describe('with whole numbers configured', () => {
  let service: Made;
  beforeAll(async () => {
    service = await made({ MUNIMENT_EXTENT_DECIMALS: '0' });
  });
  afterAll(() => service.api[Symbol.asyncDispose]());

  it('rounds total and groups each by itself, in the unit of the first profile', async () => {
    // 15 inches, and 203 cm: 79.92.
    expect((await ask(service, service.resource)).json).toMatchObject({
      total_extent: 95,
      units: 'inches',
      volume: false,
      containers: {
        'Box [12.25d, 10h, 5w inches] extent measured by width': { count: 3, extent: 15 },
        'Tube [101.5d, 10h, 10w centimeters] extent measured by depth': { count: 2, extent: 80 },
      },
    });
    // Five inches are 12.7 cm.
    expect((await ask(service, service.boxed, 'centimeters')).json).toMatchObject({
      total_extent: 13,
      units: 'centimeters',
    });
    expect((await ask(service, service.bare)).json).toMatchObject({ total_extent: 0, units: null });
  });
});
