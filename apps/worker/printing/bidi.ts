// The Unicode bidirectional algorithm (UAX #9), by bidi-js.
import type { Bidi } from 'bidi-js';
import bidiFactory from 'bidi-js';

/** Its functions. The package's types are those of a module with a default export, which it is not for Node. */
export const bidi = (bidiFactory as unknown as () => Bidi)();
