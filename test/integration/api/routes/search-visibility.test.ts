// Searching over HTTP: nobody finds what is hidden from them.
import { describe, expect, it } from 'vitest';
import { toQuery } from '#test/support/search-query.ts';
import { idsOf, searchedService } from '#test/support/searched-service.ts';

const { api, repo, other, viewer, publicUser, uris } = await searchedService();

describe('who finds what', () => {
  it('refuses the search of everything without view_all_records, and of a repository without view_repository', async () => {
    expect((await api.get(`/search?${toQuery({ q: 'wallaby' })}`, viewer)).status).toBe(403);
    expect((await api.get(`/repositories/${other}/search?${toQuery({ q: 'wallaby' })}`, viewer)).status).toBe(403);
    expect((await api.get(`/repositories/${repo}/search?${toQuery({ q: 'wallaby' })}`, null)).status).toBe(403);
  });

  const all = {
    q: 'wallaby OR bandicoot',
    hl: 'true',
    facet: ['primary_type', 'repository', 'creators', 'accession_date_year'],
  } as const;

  it('keeps other repositories and suppressed records out of rows, totals, facets and marks', async () => {
    const { text, json } = await api.get(`/repositories/${repo}/search?${toQuery(all)}`, viewer);
    expect(json.total_hits).toBe(5);
    expect(idsOf(json).sort()).toEqual([uris.agent, uris.resource, uris.file, uris.unpublished, uris.container].sort());
    expect(json.facets.facet_fields.primary_type).not.toContain('accession');
    expect(json.facets.facet_fields.accession_date_year).toEqual([]);
    expect(json.facets.facet_fields.repository).not.toContain(`/repositories/${other}`);
    expect(Object.keys(json.highlighting).sort()).toEqual(idsOf(json).sort());
    expect(text).not.toMatch(/abroad|secret/i);
  });

  it('shows the public neither unpublished records nor unpublished notes', async () => {
    const reply = await api.get(`/search?${toQuery(all)}`, publicUser);
    expect(reply.status).toBe(200);
    expect(idsOf(reply.json).sort()).toEqual(
      [uris.agent, uris.resource, `${uris.file}#pui`, uris.away, uris.container].sort(),
    );
    expect(reply.text).not.toMatch(/confidential|draft|secret/i);
    expect((await api.get(`/search?${toQuery({ q: 'confidential' })}`, publicUser)).json.total_hits).toBe(0);
    expect((await api.get(`/search?${toQuery({ q: 'confidential' })}`)).json.total_hits).toBe(1);
    expect(
      (await api.get(`/search/records?uri[]=${encodeURIComponent(uris.unpublished)}`, publicUser)).json.results,
    ).toEqual([]);
  });

  it('shows suppressed records to those who may see them', async () => {
    expect(idsOf((await api.get(`/search?${toQuery({ q: 'secret' })}`)).json)).toEqual([uris.suppressed]);
    expect((await api.get(`/repositories/${repo}/search?${toQuery({ q: 'secret' })}`, viewer)).json.total_hits).toBe(0);
  });
});
