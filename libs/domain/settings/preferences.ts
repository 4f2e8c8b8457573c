// How preferences add up: what the service ships, then layers of records, the later ones winning (contract 6.14).
import type { Json, JsonObject } from '../json.ts';

/** The settings that hold where no record says otherwise. They lie below the stored global preferences, so that a new release can bring new ones. */
export const shippedPreferences: JsonObject = {
  show_suppressed: false,
  publish: false,
  rde_sort_alpha: true,
  include_unpublished: false,
  locale: 'en',
  default_values: false,
  note_order: [],
  digital_object_spawn: false,
};

/** The layers from the lowest up. */
const preferenceLayers = ['global', 'user_global', 'repo', 'user_repo'] as const;

/** The name of a layer. */
export type PreferenceLayer = (typeof preferenceLayers)[number];

/** The settings of each layer that has a record. */
export type LayeredSettings = { readonly [layer in PreferenceLayer]?: JsonObject };

/** The settings in force: those of all layers over the shipped ones. Without `jsonmodel_type`. */
export function mergePreferences(layers: LayeredSettings): JsonObject {
  const merged = preferenceLayers.reduce<JsonObject>(
    (below, layer) => ({ ...below, ...layers[layer] }),
    shippedPreferences,
  );
  const { jsonmodel_type: _, ...settings } = merged;
  return settings;
}

/** The layers as `current_preferences` tells them: the settings in force, the records (JSON texts are parsed by the caller), and what holds after each. */
export function currentPreferences(
  records: { readonly [layer in PreferenceLayer]?: JsonObject },
  settings: LayeredSettings,
): JsonObject {
  const present = preferenceLayers.filter((layer) => records[layer] !== undefined);
  const after = present.map((layer, index): [string, Json] => {
    const upTo = Object.fromEntries(present.slice(0, index + 1).map((each) => [each, settings[each]]));
    return [`defaults_${layer}`, { ...mergePreferences(upTo), jsonmodel_type: 'defaults' }];
  });
  return {
    defaults: mergePreferences(settings),
    ...Object.fromEntries(present.map((layer) => [layer, records[layer]])),
    ...Object.fromEntries(after),
  };
}
