// Titles suggested over HTTP while somebody types.
import { describe, expect, it } from 'vitest';
import { searchedService } from '#test/support/searched-service.ts';

const { api, repo, other, viewer, publicUser, uris } = await searchedService();

describe('suggestions while typing', () => {
  const suggested = async (path: string, session?: string): Promise<readonly string[]> =>
    (await api.get(path, session)).json.suggestions.map(({ title }: { title: string }) => title);

  it('are titles of what the caller may find', async () => {
    const { status, json } = await api.get(`/search/suggest?q=pap+wal&type[]=resource&limit=1`);
    expect([status, json]).toEqual([
      200,
      {
        suggestions: [
          {
            id: uris.resource,
            uri: uris.resource,
            title: 'Wallaby papers',
            primary_type: 'resource',
            repository: `/repositories/${repo}`,
            words: ['Wallaby', 'papers'],
          },
        ],
      },
    ]);
    expect(await suggested('/search/suggest?q=wallab', publicUser)).toEqual([
      'Wallaby abroad',
      'Wallaby papers',
      'Wallaby diary',
      expect.stringMatching(/^Box 1 /),
    ]);
    expect([...(await suggested(`/repositories/${repo}/search/suggest?q=wallab`, viewer))].sort()).toEqual([
      expect.stringMatching(/^Box 1 /),
      'Wallaby diary',
      'Wallaby draft',
      'Wallaby papers',
    ]);
    expect(await suggested(`/repositories/${repo}/search/suggest?q=bandi`, viewer)).toEqual(['Bandicoot, Ada']);
    expect(await suggested('/search/suggest?q=secr', publicUser)).toEqual([]);
    expect(await suggested('/search/suggest?q=confid')).toEqual([]);
  });

  it('are none for nothing, and refused to those who may not search', async () => {
    for (const q of ['', '?q=', '?q=%25%27%26']) expect(await suggested(`/search/suggest${q}`), q).toEqual([]);
    expect((await api.get('/search/suggest?q=wa', viewer)).status).toBe(403);
    expect((await api.get(`/repositories/${other}/search/suggest?q=wa`, viewer)).status).toBe(403);
    expect((await api.get('/search/suggest?q=%00')).status).toBe(400);
    for (const limit of ['0', '51', 'x'])
      expect((await api.get(`/search/suggest?q=wa&limit=${limit}`)).status, limit).toBe(400);
    expect((await api.get(`/search/suggest?q=wa${'&type[]=a'.repeat(101)}`)).status).toBe(400);
  });
});
