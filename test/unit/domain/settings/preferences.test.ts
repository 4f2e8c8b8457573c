// Layers of preferences (contract 6.14).
import { expect, test } from 'vitest';
import { currentPreferences, mergePreferences, shippedPreferences } from '#domain/settings/preferences.ts';

test('holds what is shipped where nobody says otherwise', () =>
  expect(mergePreferences({})).toEqual(shippedPreferences));

test('lets the layer closest to the user in the repository win', () => {
  const layers = {
    user_repo: { locale: 'fr' },
    repo: { locale: 'de', publish: true },
    user_global: { locale: 'ja', publish: false, rde_sort_alpha: false },
    global: { locale: 'es' },
  };
  expect(mergePreferences(layers)).toMatchObject({ locale: 'fr', publish: true, rde_sort_alpha: false });
});

test('tells each layer and what holds after it, in order', () => {
  const records = { repo: { uri: '/repositories/2/preferences/3' }, global: { uri: '/repositories/1/preferences/1' } };
  const told = currentPreferences(records, {
    global: { publish: true, jsonmodel_type: 'defaults' },
    repo: { publish: false },
  });
  expect(Object.keys(told)).toEqual(['defaults', 'global', 'repo', 'defaults_global', 'defaults_repo']);
  expect(told['defaults']).toEqual({ ...shippedPreferences, publish: false });
  expect(told['defaults_global']).toEqual({ ...shippedPreferences, publish: true, jsonmodel_type: 'defaults' });
});
