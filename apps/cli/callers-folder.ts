// Where the relative paths of a command begin that `npm run` started.
import { resolve } from 'node:path';

/** A path as whoever ran `npm run <script>` meant it: npm runs scripts in the folder of the package, and says where it was called. */
export const asCalled = (path: string, script: string): string =>
  resolve((process.env['npm_lifecycle_event'] === script ? process.env['INIT_CWD'] : undefined) ?? '.', path);
