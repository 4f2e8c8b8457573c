// The list of permissions over HTTP (contract 2.4; ids and order from the recorded exchanges).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

type Permission = { readonly permission_code: string; readonly level: string; readonly uri: string };

describe('GET /permissions', () => {
  it('lists the permissions of a level with the ids that clients know, derived and hidden ones left out', async () => {
    const global: readonly Permission[] = (await api.get('/permissions?level=global', null)).json;
    expect(global.map(({ permission_code: code, uri }) => [code, uri])).toEqual([
      ['administer_system', '/permissions/6'],
      ['manage_users', '/permissions/7'],
      ['become_user', '/permissions/8'],
      ['create_repository', '/permissions/10'],
      ['delete_repository', '/permissions/11'],
    ]);
    const all: readonly Permission[] = (await api.get('/permissions?level=all', null)).json;
    expect(all).toHaveLength(40);
    expect(all[0]).toMatchObject({
      permission_code: 'create_job',
      uri: '/permissions/1',
      jsonmodel_type: 'permission',
    });
    expect(all.at(-1)).toMatchObject({ permission_code: 'manage_custom_report_templates', uri: '/permissions/43' });
    const inRepository: readonly Permission[] = (await api.get('/permissions?level=repository', null)).json;
    expect(inRepository).toHaveLength(35);
    expect(new Set(inRepository.map((permission) => permission.level))).toEqual(new Set(['repository']));
  });

  it('asks for a level that there is', async () => {
    expect((await api.get('/permissions')).json).toEqual({
      error: { level: ['Parameter required but no value provided'] },
    });
    const odd = await api.get('/permissions?level=local');
    expect([odd.status, odd.json]).toEqual([
      400,
      { error: { level: ['Failed validation -- Must be one of repository, global, all'] } },
    ]);
  });
});
