// Which file version stands for a digital object or component (contract 6.4).
import type { JsonObject } from '../json.ts';
import { objectsOf, textOf } from '../json.ts';

/**
 * The file version that stands for a digital object or component: the first published one flagged representative, else
 * the first published thumbnail, else the first published one that is embedded from the web. Null where there is none.
 */
export function representativeFileVersion(body: JsonObject): JsonObject | null {
  const published = objectsOf(body, 'file_versions').filter((version) => version['publish'] === true);
  return (
    published.find((version) => version['is_representative'] === true) ??
    published.find((version) => textOf(version, 'use_statement') === 'image-thumbnail') ??
    published.find(
      (version) =>
        textOf(version, 'xlink_show_attribute') === 'embed' && textOf(version, 'file_uri')?.startsWith('http') === true,
    ) ??
    null
  );
}

/** The body with `representative_file_version`, or without where there is none. */
export function withRepresentativeFileVersion(body: JsonObject): JsonObject {
  const { representative_file_version: _, ...rest } = body;
  const chosen = representativeFileVersion(rest);
  return chosen === null ? rest : { ...rest, representative_file_version: chosen };
}
