// The diagnosis of an installation, with its settings and variables.
import { expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { openRecordStore } from '#test/support/records.ts';
import { diagnoseInstallation } from '../../apps/diagnosis.ts';

it('judges the figures, the settings, and variables that are none', async () => {
  await using store = await openRecordStore();
  const { url } = store.database.settings;
  const { ok, findings, facts } = await diagnoseInstallation(
    readConfig({}),
    { url, pooledUrl: url },
    { MUNIMENT_POOL_SIZ: '3' },
  );
  expect(facts.server.migrations).toEqual({ pending: [], unknown: [], changed: [] });
  expect(findings.filter(({ says }) => says.includes('MUNIMENT_POOL_SIZ'))).toHaveLength(1);
  expect(ok).toBe(findings.every(({ level }) => level === 'notice'));
});
