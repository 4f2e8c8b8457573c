// What is found, as lines of CSV over HTTP.
import { describe, expect, it } from 'vitest';
import { toQuery } from '#test/support/search-query.ts';
import { searchedService } from '#test/support/searched-service.ts';

const { api, repo, viewer, publicUser, uris } = await searchedService();

describe('CSV', () => {
  it('streams the fields asked for, a header first', async () => {
    const reply = await api.get(
      `/repositories/${repo}/search?${toQuery({ q: 'title:wallaby', type: ['resource'], dt: 'csv', fields: ['id', 'title', 'types'], sort: 'title_sort asc' })}`,
      viewer,
    );
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(reply.text).toBe(
      `id,title,types\n${uris.unpublished},Wallaby draft,resource\n${uris.resource},Wallaby papers,"resource,pui_collection,pui"\n`,
    );
  });

  it('gives what is behind the requested page too, all fields where none are named, and errors before the first line', async () => {
    const all = await api.get(
      `/repositories/${repo}/search?${toQuery({ q: 'title:wallaby', type: ['resource'], dt: 'csv', page_size: 1, page: 2, sort: 'title_sort asc' })}`,
      viewer,
    );
    expect(all.text.split('\n')[0]?.split(',')).toEqual(expect.arrayContaining(['id', 'title', 'json', 'level']));
    expect(all.text.trimEnd().split('\n')).toHaveLength(2);
    expect(
      (
        await api.get(
          `/repositories/${repo}/search?${toQuery({ q: 'wallaby', dt: 'csv', sort: 'nonsense asc' })}`,
          viewer,
        )
      ).status,
    ).toBe(400);
    expect((await api.get(`/repositories/${repo}/search?${toQuery({ dt: 'xml' })}`, viewer)).status).toBe(400);
  });

  it('shows the public nothing unpublished', async () => {
    expect((await api.get(`/search?${toQuery({ q: '*:*', dt: 'csv' })}`, publicUser)).text).not.toMatch(
      /confidential|draft|secret/i,
    );
  });
});
