// The naming of an installation: how slugs and ARKs are made, from its configuration.
import type { Config } from '../config.ts';
import type { ArkSettings } from './arks.ts';
import type { SlugSettings } from './slugs.ts';

/** What writes follow where they name records. */
export type Naming = { readonly slugs: SlugSettings; readonly arks: ArkSettings };

/** The naming of a new installation: no slugs but those of repositories, no ARKs. */
export const namingOff: Naming = {
  slugs: { from: 'off' },
  arks: { isOn: false, naan: 'f00001', urlPrefix: '', delimiter: '', allowsExternal: true },
};

/** The naming that the configuration asks for. */
export function namingFrom(config: Config): Naming {
  return {
    slugs: { from: config.MUNIMENT_SLUGS },
    arks: {
      isOn: config.MUNIMENT_ARKS,
      naan: config.MUNIMENT_ARK_NAAN,
      urlPrefix: config.MUNIMENT_ARK_URL_PREFIX,
      delimiter: config.MUNIMENT_ARK_SHOULDER_DELIMITER,
      allowsExternal: config.MUNIMENT_ARK_EXTERNAL,
    },
  };
}
