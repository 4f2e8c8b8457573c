// Whatever records hold, what goes out is valid: records made from their schemas and roughened, in every format. The seed is printed; SEED=…
// repeats a run.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf } from '#domain/json.ts';
import { agentEac } from '#domain/formats/eac/writing/agent.ts';
import { agentEac2 } from '#domain/formats/eac/writing/v2/agent.ts';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { agentMarc } from '#domain/formats/marc-authority/writing/agent.ts';
import { archivalObjectMarc, resourceMarc } from '#domain/formats/marc/writing/described.ts';
import { digitalObjectMets } from '#domain/formats/mets/digital-object.ts';
import { describedMods } from '#domain/formats/mods/described.ts';
import { digitalObjectMods } from '#domain/formats/mods/digital-object.ts';
import { digitalObjectDc } from '#domain/formats/dc/digital-object.ts';
import { kinds } from '#domain/kinds/index.ts';
import { resolved } from '../../support/eac-round-trip.ts';
import type { ExportFormat } from '../../support/export-faults.ts';
import { exportFaults } from '../../support/export-faults.ts';
import { makeExportContext } from '../../support/make/export-context.ts';
import { bodyFor } from '../../support/make/from-schema.ts';
import { seededRandom } from '#test/support/random.ts';
import { referenceLists } from '../../support/make/lists.ts';
import { roughened } from '../../support/make/rough.ts';

const seed = Number(process.env['SEED'] ?? 20261121);
const runs = Number(process.env['RUNS'] ?? 40);
const lists = referenceLists();
const context = makeExportContext({ includesUnpublished: true });
const linkedKinds = [
  'subject',
  'agent_person',
  'agent_family',
  'agent_corporate_entity',
  'agent_software',
  'top_container',
  'digital_object',
  'container_profile',
  'location',
  'classification',
];

/** A record of a kind with what it links to, all of it rough. */
function make(name: string, random: () => number): JsonObject {
  const kind = kinds.get(name);
  if (kind === undefined) throw new TypeError(`no kind ${name}`);
  const schemaOf = (each: string): Parameters<typeof bodyFor>[0] | undefined => kinds.get(each)?.schema;
  const source = {
    random,
    listValues: (list: string) => lists.get(list)?.values ?? [],
    uriOf: (wanted: readonly string[]) => wanted.find((each) => linkedKinds.includes(each)) ?? null,
  };
  const made = (each: string, schema: Parameters<typeof bodyFor>[0], share: number): JsonObject => {
    const body = bodyFor(schema, source, share);
    const names = objectsOf(body, 'names');
    const [first] = names;
    const terms = objectsOf(body, 'terms')
      .map((term) => String(term['term']))
      .join(' -- ');
    return roughened(
      {
        uri: `/repositories/2/${each}/1`,
        title: terms,
        ...body,
        publish: true,
        create_time: '2026-01-01T00:00:00Z',
        system_mtime: '2026-01-01T00:00:00Z',
        display_string: 'x',
        ...(first === undefined ? {} : { display_name: first }),
      },
      random,
    );
  };
  return resolved(made(name, kind.schema, 0.6), (ref) => {
    const schema = schemaOf(ref);
    return schema === undefined ? undefined : made(ref, schema, 0.4);
  });
}

const one = async function* (
  records: readonly JsonObject[],
): AsyncGenerator<readonly { readonly depth: number; readonly record: JsonObject }[]> {
  yield records.map((record, at) => ({ depth: at + 1, record }));
};
const setting = (random: () => number) => ({
  flags: {
    includeUnpublished: random() < 0.5,
    includeDaos: true,
    includeUris: random() < 0.5,
    numberedComponents: random() < 0.5,
  },
  label: context.label,
  product: 'Muniment',
  createdAt: '2026-01-01 00:00:00 UTC',
  includeArks: true,
  deepest: 2,
});
const text = async (pieces: AsyncIterable<string>): Promise<string> => (await Array.fromAsync(pieces)).join('');
const tree = (random: () => number) => ({
  object: make('digital_object', random),
  components: [1, 2].map((depth) => ({
    record: { ...make('digital_object_component', random), uri: `/repositories/2/digital_object_components/${depth}` },
    depth,
  })),
});

const agentKinds = ['agent_person', 'agent_family', 'agent_corporate_entity'];
const linked = [{ uri: '/repositories/2/resources/1', title: 'A ]]> <b & \u0000 c', role: 'creator' }];
const pick = <Item>(items: readonly Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)];

/** What goes out, and the format that holds it. */
const formats: readonly (readonly [
  name: string,
  format: ExportFormat,
  write: (random: () => number) => Promise<string> | string,
])[] = [
  [
    'EAD 2002',
    'EAD 2002',
    (random) =>
      text(
        writeEad2002(
          make('resource', random),
          one([make('archival_object', random), make('archival_object', random)]),
          setting(random),
        ),
      ),
  ],
  [
    'EAD3',
    'EAD3',
    (random) =>
      text(
        writeEad3(
          make('resource', random),
          one([make('archival_object', random), make('archival_object', random)]),
          setting(random),
        ),
      ),
  ],
  ['MARCXML of a resource', 'MARCXML', (random) => resourceMarc(make('resource', random), context)],
  [
    'MARCXML of an archival object',
    'MARCXML',
    (random) => archivalObjectMarc(make('archival_object', random), context),
  ],
  ['MARCXML of an agent', 'MARCXML', (random) => agentMarc(make(pick(agentKinds, random) ?? '', random), context)],
  ['MODS of a resource', 'MODS', (random) => describedMods(make('resource', random), context)],
  ['MODS of a digital object', 'MODS', (random) => digitalObjectMods(tree(random), context)],
  [
    'METS of a digital object',
    'METS',
    (random) => digitalObjectMets(tree(random), random() < 0.5 ? 'mods' : 'dc', context),
  ],
  ['EAC-CPF 2010', 'EAC-CPF 2010', (random) => agentEac(make(pick(agentKinds, random) ?? '', random), linked, context)],
  ['EAC-CPF 2.0', 'EAC-CPF 2.0', (random) => agentEac2(make(pick(agentKinds, random) ?? '', random), linked, context)],
  ['Dublin Core', 'Dublin Core', (random) => digitalObjectDc(make('digital_object', random), context)],
];

/** Calls one with the records of each run until a document has faults; the first such run is told. */
async function firstFaults(
  write: (random: () => number) => Promise<string> | string,
  format: ExportFormat,
): Promise<unknown> {
  for (let run = 0; run < runs; run += 1) {
    const found = exportFaults(format, await write(seededRandom(seed + run)));
    if (found.length > 0) return { seed: seed + run, found };
  }
  return null;
}

describe(`records of any content, seed ${seed}`, () => {
  test.each(formats)('go out as valid %s', async (_name, format, write) => {
    expect(await firstFaults(write, format)).toBeNull();
  });
});
