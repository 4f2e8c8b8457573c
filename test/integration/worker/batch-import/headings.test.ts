// Agents and subjects that are there already, or come twice: what is one record after the import.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import type { Importer } from '#test/support/batch.ts';
import { openImporter, whileImporting } from '#test/support/batch.ts';
import { batchRecords } from '#test/support/make/batch-records.ts';

let importer: Importer;
beforeAll(async () => {
  importer = await openImporter();
});
afterAll(async () => importer[Symbol.asyncDispose]());
const { fresh, resource, subject, person, realUri } = batchRecords(() => importer);

describe('headings', () => {
  test('equal to stored ones, or to others of the batch, are used in their place', async () => {
    const k = fresh();
    const first = await importer.run([subject(`${k}-0`, [`A${k}`, `B${k}`]), person(`${k}-0`, `P${k}`)]);
    const stored = realUri(first, `/subjects/import_${k}-0`);
    const before = await importer.counts();
    const again = await importer.run(
      [
        subject(`${k}-1`, [`A${k}`, `B${k}`]),
        subject(`${k}-2`, [`A${k}`, `B${k}`]),
        subject(`${k}-3`, [`B${k}`, `A${k}`]),
        subject(`${k}-4`, [`B${k}`, `A${k}`]),
        subject(`${k}-5`, [`B${k}`, `A${k}`], { source: 'lcsh' }),
        person(`${k}-1`, `P${k}`),
        person(`${k}-2`, `Q${k}`),
        person(`${k}-3`, `Q${k}`),
      ],
      { blockBytes: 300 },
    );
    const uris = [1, 2, 3, 4, 5].map((n) => realUri(again, `/subjects/import_${k}-${n}`));
    expect(uris[0]).toBe(stored);
    expect(uris[1]).toBe(stored);
    expect(uris[3]).toBe(uris[2]);
    expect(new Set(uris).size).toBe(3);
    expect(realUri(again, `/agents/people/import_${k}-1`)).toBe(realUri(first, `/agents/people/import_${k}-0`));
    expect(realUri(again, `/agents/people/import_${k}-3`)).toBe(realUri(again, `/agents/people/import_${k}-2`));
    expect(again).toMatchObject({ total: 8, reused: 5, created: { subject: 2, agent_person: 1 } });
    const after = await importer.counts();
    expect((after['record_term'] ?? 0) - (before['record_term'] ?? 0)).toBe(0);
    expect((after['record_subject'] ?? 0) - (before['record_subject'] ?? 0)).toBe(2);
  });

  test('of agents are one by the authority id of the authorised name', async () => {
    const k = fresh();
    const named = (key: string, name: string): JsonObject => ({
      jsonmodel_type: 'agent_person',
      uri: `/agents/people/import_${key}`,
      names: [
        {
          primary_name: name,
          name_order: 'direct',
          sort_name_auto_generate: true,
          authority_id: `id-${k}`,
          source: 'naf',
        },
      ],
    });
    const imported = await importer.run([named(`${k}-1`, 'One'), named(`${k}-2`, 'Other')]);
    expect(realUri(imported, `/agents/people/import_${k}-2`)).toBe(realUri(imported, `/agents/people/import_${k}-1`));
    const later = await importer.run([named(`${k}-3`, 'Third')]);
    expect(realUri(later, `/agents/people/import_${k}-3`)).toBe(realUri(imported, `/agents/people/import_${k}-1`));
  });

  test('of agents are one by the authority id, of whatever kind who has it is, in the batch or before it', async () => {
    const k = fresh();
    const called = {
      primary_name: `Duke ${k}`,
      sort_name_auto_generate: true,
      authority_id: `duke-${k}`,
      source: 'naf',
    };
    const asPerson = (n: number): JsonObject => ({
      jsonmodel_type: 'agent_person',
      uri: `/agents/people/import_${k}-${n}`,
      names: [{ ...called, name_order: 'direct' }],
    });
    const asBody = (n: number): JsonObject => ({
      jsonmodel_type: 'agent_corporate_entity',
      uri: `/agents/corporate_entities/import_${k}-${n}`,
      names: [called],
    });
    const first = await importer.run([asPerson(1), asBody(2)]);
    const stored = realUri(first, `/agents/people/import_${k}-1`);
    expect(realUri(first, `/agents/corporate_entities/import_${k}-2`)).toBe(stored);
    const later = await importer.run([asBody(3), asPerson(4)]);
    expect(realUri(later, `/agents/corporate_entities/import_${k}-3`)).toBe(stored);
    expect(realUri(later, `/agents/people/import_${k}-4`)).toBe(stored);
  });

  test('may name their terms by uri, and terms may be records of the batch', async () => {
    const k = fresh();
    const first = await importer.run([subject(`${k}-0`, [`T${k}`])]);
    const stored = await importer.read(realUri(first, `/subjects/import_${k}-0`));
    const term = (stored['terms'] as readonly JsonObject[])[0];
    const again = await importer.run([
      { ...subject(`${k}-1`, []), terms: [String(term?.['uri'])] },
      {
        jsonmodel_type: 'term',
        uri: `/terms/import_${k}`,
        term: `U${k}`,
        term_type: 'topical',
        vocabulary: '/vocabularies/1',
      },
      { ...subject(`${k}-2`, []), terms: [`/terms/import_${k}`] },
    ]);
    expect(realUri(again, `/subjects/import_${k}-1`)).toBe(realUri(first, `/subjects/import_${k}-0`));
    const made = await importer.read(realUri(again, `/subjects/import_${k}-2`));
    expect(made).toMatchObject({
      title: `U${k}`,
      terms: [{ term: `U${k}`, uri: realUri(again, `/terms/import_${k}`) }],
    });
    expect(await importer.read(realUri(again, `/terms/import_${k}`))).toMatchObject({
      term: `U${k}`,
      term_type: 'topical',
    });
  });

  test.each([2000, 10])('are found by terms that are records of the batch (blocks of %i bytes)', async (blockBytes) => {
    const k = fresh();
    const term = {
      jsonmodel_type: 'term',
      uri: `/terms/import_${k}`,
      term: `V${k}`,
      term_type: 'topical',
      vocabulary: '/vocabularies/1',
    };
    const named = (key: string): JsonObject => ({ ...subject(key, []), terms: [`/terms/import_${k}`] });
    const first = await importer.run([term, named(`${k}-0`), named(`${k}-1`)], { blockBytes });
    const stored = realUri(first, `/subjects/import_${k}-0`);
    expect(realUri(first, `/subjects/import_${k}-1`)).toBe(stored);
    const again = await importer.run(
      blockBytes === 10 ? [term, named(`${k}-2`)] : [named(`${k}-2`), term, named(`${k}-3`)],
      { blockBytes },
    );
    expect(realUri(again, `/subjects/import_${k}-2`)).toBe(stored);
    expect(again.created).toEqual({});
  });

  test('do not hold up others while the import goes on, and a heading that somebody else commits meanwhile makes it try again', async () => {
    const k = fresh();
    let theirs = '';
    const failure = await importer
      .run([subject(k, [`T${k}`])], {
        betweenPasses: async () => {
          // The import has its term by now; another cataloguer makes the same subject and is not held up.
          theirs = (
            await whileImporting(() =>
              importer.create('subject', {
                vocabulary: '/vocabularies/1',
                source: 'local',
                terms: [{ term: `T${k}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
              }),
            )
          ).uri;
        },
      })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable' });
    const imported = await importer.run([subject(k, [`T${k}`])]);
    expect(realUri(imported, `/subjects/import_${k}`)).toBe(theirs);
  });

  test('that somebody deletes meanwhile make it try again', async () => {
    const k = fresh();
    const stored = await importer.create('subject', {
      vocabulary: '/vocabularies/1',
      source: 'local',
      terms: [{ term: `T${k}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    const records = [subject(k, [`T${k}`]), resource(k, { subjects: [{ ref: `/subjects/import_${k}` }] })];
    const failure = await importer
      .run(records, { betweenPasses: async () => void (await whileImporting(() => importer.remove(stored.uri))) })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(realUri(await importer.run(records), `/subjects/import_${k}`)).not.toBe(stored.uri);
  });
});
