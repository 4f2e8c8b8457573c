import { expect, it } from 'vitest';
import { agentEac } from '#domain/formats/eac/writing/agent.ts';
import { maintenanceStatuses } from '#domain/formats/eac/writing/control.ts';
import { relationTypes } from '#domain/formats/eac/writing/relations.ts';
import { exportAgent, importAgents } from '#test/support/eac-round-trip.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

const agent = {
  jsonmodel_type: 'agent_person',
  uri: '/agents/people/1',
  publish: true,
  create_time: '2026-01-01T00:00:00Z',
  created_by: 'somebody',
  names: [{ primary_name: 'A' }],
  agent_contacts: [{ name: 'Secret' }],
};

it('fills what the schema wants of every record, and names no user and no contact', () => {
  const xml = agentEac(agent, [], makeExportContext());
  expect(xml).toContain(
    '<recordId>agents-people-1</recordId><maintenanceStatus>new</maintenanceStatus><maintenanceAgency><agencyName>Repository</agencyName></maintenanceAgency>',
  );
  expect(xml).not.toMatch(/somebody|Secret/);
  expect(exportFaults('EAC-CPF 2010', xml)).toEqual([]);
});

it('has statuses and relations that the standard knows', () => {
  const faults = (xml: string): readonly string[] => exportFaults('EAC-CPF 2010', xml);
  for (const maintenance_status of Object.keys(maintenanceStatuses))
    expect(
      faults(agentEac({ ...agent, agent_record_controls: [{ maintenance_status }] }, [], makeExportContext())),
    ).toEqual([]);
  const related_agents = Object.keys(relationTypes).map((relator) => ({
    ref: '/agents/people/2',
    relator,
    _resolved: { publish: true, display_name: { primary_name: 'B' } },
  }));
  expect(
    faults(agentEac({ ...agent, related_agents }, [{ uri: '/x', title: 't', role: 'source' }], makeExportContext())),
  ).toEqual([]);
});

it('puts parallel names together, and says which is preferred', () => {
  const xml = agentEac(
    {
      ...agent,
      names: [
        {
          primary_name: 'A',
          is_display_name: true,
          authorized: true,
          source: 'naf',
          parallel_names: [{ primary_name: 'Б', language: 'rus', script: 'Cyrl' }],
        },
      ],
    },
    [],
    makeExportContext(),
  );
  expect(xml).toContain(
    '<nameEntryParallel><nameEntry><part localType="surname">A</part><preferredForm>naf</preferredForm></nameEntry><nameEntry xml:lang="rus" scriptCode="Cyrl"><part localType="surname">Б</part></nameEntry><authorizedForm>naf</authorizedForm></nameEntryParallel>',
  );
});

it('tells in 2.0 which name is shown and which is authorized, whichever these are', async () => {
  for (const shown of [0, 1, 2])
    for (const authorized of [0, 1, 2]) {
      const names = ['A', 'B', 'C'].map((primary_name, at) => ({
        primary_name,
        is_display_name: at === shown,
        authorized: at === authorized,
      }));
      const xml = exportAgent({ ...agent, names }, 2);
      expect(exportFaults('EAC-CPF 2.0', xml)).toEqual([]);
      expect((await importAgents(xml)).agents).toMatchObject([{ names }]);
    }
});

it('names related agents that are there, and no others', () => {
  const related = (ref: string, more: object) => ({ ref, relator: 'is_associative_with', ...more });
  const xml = agentEac(
    {
      ...agent,
      related_agents: [
        related('/agents/people/2', {}),
        related('/agents/people/3', { _resolved: { publish: true } }),
        related('/agents/people/4', { _resolved: { publish: true, display_name: { primary_name: 'B' } } }),
      ],
    },
    [],
    makeExportContext(),
  );
  expect(xml.match(/xlink:href="[^"]*"/g)).toEqual(['xlink:href="http://public.example/agents/people/4"']);
});
