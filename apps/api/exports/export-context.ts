// The context that writers of formats get, from the configuration and what was asked.
import type { Config } from '#domain/config.ts';
import type { ExportContext } from '#domain/formats/writing/context.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import { interfaceVersions, productVersion } from '../openapi/product.ts';

const label = readValueLabels();

/** The context of one export: `repository` as it was read for the caller, `includesUnpublished` as the caller asked and may. */
export function exportContext(
  config: Config,
  release: ExportContext['release'],
  asked: Pick<ExportContext, 'repository' | 'includesUnpublished'>,
): ExportContext {
  return {
    ...asked,
    label,
    publicUrl: config.MUNIMENT_PUBLIC_URL,
    serviceUrl: config.MUNIMENT_SERVICE_URL ?? `http://localhost:${config.PORT}`,
    now: new Date(),
    product: `Muniment ${productVersion} (${interfaceVersions[release]})`,
    showsArks: config.MUNIMENT_ARKS,
    release,
  };
}
