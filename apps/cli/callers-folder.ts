// Where relative paths begin in a command that `npm run` started: npm runs scripts in the folder of the package, and says where it was called.

/** The folder that whoever called `npm run <script>` was in; that of the process where it was started otherwise. */
export const callersFolder = (script: string): string =>
  (process.env['npm_lifecycle_event'] === script ? process.env['INIT_CWD'] : undefined) ?? process.cwd();
