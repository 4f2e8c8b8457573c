// Names → agents and links.
import { describe, expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

describe('readOrigination', () => {
  test('links creators, with the whole content as the name', async () => {
    const { resource, of, at } = await readDocument({
      did: `<origination><persname source="NAF" rules="rda" authfilenumber="n1" role="Creator (cre)">Doe, Jane <emph>(poet)</emph>, 1900-</persname>
        <famname>Doe family</famname><corpname role="dnr">Doe &amp; Co. <subarea>Ltd</subarea></corpname></origination>`,
    });
    expect(of('agent_person')).toMatchObject([
      {
        publish: false,
        names: [
          {
            jsonmodel_type: 'name_person',
            primary_name: 'Doe, Jane (poet), 1900-',
            name_order: 'inverted',
            source: 'naf',
            rules: 'rda',
            authority_id: 'n1',
            sort_name_auto_generate: true,
          },
        ],
      },
    ]);
    expect(of('agent_family')).toMatchObject([{ names: [{ family_name: 'Doe family', source: 'ingest' }] }]);
    expect(of('agent_corporate_entity')).toMatchObject([{ names: [{ primary_name: 'Doe & Co. Ltd' }] }]);
    const links = resource['linked_agents'];
    expect(links).toMatchObject([
      { role: 'creator', relator: 'cre' },
      { role: 'creator' },
      { role: 'creator', relator: 'dnr' },
    ]);
    expect(at(Array.isArray(links) ? links[0].ref : '')['jsonmodel_type']).toBe('agent_person');
  });

  test('links a name whose label says that it is a source as one', async () => {
    const { resource, report } = await readDocument({
      did: '<origination label="source"><persname>Giver</persname></origination><origination label="creator"><persname>Maker</persname></origination>',
    });
    expect(resource['linked_agents']).toMatchObject([{ role: 'source' }, { role: 'creator' }]);
    expect(report.dropped).toEqual([]);
  });

  test('reports names of other kinds and loose text', async () => {
    const { report } = await readDocument({ did: '<origination>by <name>Someone</name></origination>' });
    expect(report.dropped.map((part) => part.text)).toEqual(['by', 'Someone']);
  });

  test('keeps what an origination says without naming an agent as a note', async () => {
    const { resource } = await readDocument({
      did: '<origination label="Creator">by <name>Someone</name></origination><origination>Ann <persname>Roe</persname></origination>',
    });
    expect(resource['notes']).toMatchObject([{ type: 'odd', label: 'Creator', subnotes: [{ content: 'by Someone' }] }]);
    expect(resource['linked_agents']).toHaveLength(1);
  });

  test('emits equal agents once and links each record once per role and relator', async () => {
    const { of, resource } = await readDocument({
      did: '<origination><persname>A</persname></origination><origination><persname>A</persname></origination>',
      notes: '<controlaccess><persname>A</persname><persname source="local">A</persname></controlaccess>',
    });
    expect(of('agent_person')).toHaveLength(2);
    expect(resource['linked_agents']).toMatchObject([{ role: 'creator' }, { role: 'subject' }, { role: 'subject' }]);
  });

  test('publishes agents marked external as peers do, or all that are not internal', async () => {
    const notes =
      '<controlaccess><persname>A</persname><persname audience="internal">B</persname><persname audience="external">C</persname></controlaccess>';
    const flags = async (agentsPublished?: 'unless-internal' | 'external') =>
      (await readDocument({ notes }, agentsPublished === undefined ? {} : { agentsPublished }))
        .of('agent_person')
        .map((agent) => agent['publish']);
    expect(await flags('unless-internal')).toEqual([true, false, true]);
    expect(await flags('external')).toEqual([false, false, true]);
    expect(await flags()).toEqual([false, false, true]);
  });
});
