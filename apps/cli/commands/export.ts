// `muniment export`: a record, or a tree of them, as a document of some standard.
import type { Command } from 'commander';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure, usage } from '../failure.ts';
import { size } from '../output.ts';
import { findRepository } from '../repository.ts';
import { print, saveAs } from '../save.ts';

type ExportOptions = ConnectionOptions & {
  readonly format: string;
  readonly out?: string;
  readonly repository?: string;
  readonly unpublished?: true;
  readonly option?: readonly string[];
};

/** Where a document is had, the parameters that it takes, and what it is. */
type Document = {
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  readonly mediaType: string;
};

/** Adds the command. */
export function addExport(program: Command, environment: Environment): void {
  const command = program
    .command('export')
    .summary('write a record as EAD, MARC, PDF …')
    .description(
      'Writes a record as a document to standard output, or to a file. Of a resource: ead, ead3, marcxml, pdf, html, container-labels, record-lines. Of a digital object: mods, mets, dublin-core. Of an agent: eac-cpf, marc-authority.',
    )
    .argument('<uri>', 'uri of the record, as /repositories/2/resources/1')
    .requiredOption('--format <name>', 'the sort of document')
    .option('-o, --out <file>', 'write to this file')
    .option('--unpublished', 'with what is not published')
    .option('--option <name=value...>', 'a parameter of the document, as include_daos=true')
    .option('--repository <id or code>', 'of an agent: the repository that is named as its keeper')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment export /repositories/2/resources/1 --format ead -o finding-aid.xml
  $ muniment export /repositories/2/resources/1 --format ead --option include_daos=true numbered_cs=true
  $ muniment export /agents/people/3 --format eac-cpf --repository MANUSCRIPTS`,
    );
  addConnectionOptions(command);
  command.action((uri: string, options: ExportOptions) =>
    withClient(environment, options, async (call) => {
      const { client, output } = call;
      const { path, query, mediaType } = await findDocument(call, uri, options);
      if (options.out === undefined && path.endsWith('.pdf') && environment.streams.stdout.isTTY)
        throw usage('A PDF is nothing for a terminal: name a file with -o.');
      if (options.out === undefined && output.isJson) throw usage('With --json name a file for the document with -o.');
      const response = await client.send(path, { query });
      await demandDocument(response, mediaType, client.url);
      if (options.out === undefined) return print(call, response);
      const { path: file, bytes } = await saveAs(call, response, options.out);
      output.result({ uri, format: options.format, file, bytes }, [`${file}: ${size(bytes)}`]);
    }),
  );
}

async function findDocument(call: Call, uri: string, options: ExportOptions): Promise<Document> {
  // The declarations take long to load; no other command needs them.
  const [{ allExports }, { parseUri }] = await Promise.all([
    import('#domain/formats/exports.ts'),
    import('#domain/addresses.ts'),
  ]);
  const address = parseUri(uri);
  if (address === null) throw usage(`${uri} is no uri of a record: it should look like /repositories/2/resources/1.`);
  const offered = allExports.flatMap(({ name, paths, options: taken, unpublished, mediaType }) => {
    const path = Object.entries(paths).find(([kind]) => kind === address.kind)?.[1];
    const document = { format: formatOf(name), path, taken: Object.keys(taken), unpublished, mediaType, query: {} };
    if (path === undefined) return [];
    const withThree = { ...document, format: 'ead3', query: { ead3: 'true' } };
    return document.format === 'ead' ? [document, withThree] : [document];
  });
  const found = offered.find(({ format }) => format === options.format.toLowerCase());
  if (found?.path === undefined) {
    const names = offered.map(({ format }) => format).sort();
    throw usage(
      names.length === 0
        ? `There are no documents of ${uri}.`
        : `There is no ${options.format} of ${uri}; there is ${names.join(', ')}.`,
    );
  }
  const repoId = address.repoId ?? (await keeperOf(call, uri, options.repository));
  const given = (options.option ?? []).map((text) => readOption(text, found.taken));
  return {
    path: found.path.replace(':repo_id', String(repoId)).replace(':id', String(address.id)),
    query: {
      ...found.query,
      ...(options.unpublished === true && typeof found.unpublished === 'string' ? { [found.unpublished]: 'true' } : {}),
      ...Object.fromEntries(given),
    },
    mediaType: found.mediaType,
  };
}

/** Refuses what is no document though it is no failure: the job that goes on with it, and the page of what stands before the service and wants a login. */
async function demandDocument(response: Response, mediaType: string, url: string): Promise<void> {
  const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '') && mediaType !== 'text/html';
  if (response.status !== 202 && !isPage) return;
  await response.body?.cancel();
  const { status } = response;
  if (isPage) throw new CliFailure(`${url} gave a page and no document: is it a Muniment?`, { status });
  const job = response.headers.get('location');
  throw new CliFailure(
    `The document takes longer than the service lets a request wait; a job goes on with it: ${job}\n  watch it:  muniment jobs --follow ${job}\n  fetch it:  muniment jobs files ${job} --to <folder>`,
    { status, details: { job } },
  );
}

const formatOf = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();

async function keeperOf({ client }: Call, uri: string, named: string | undefined): Promise<number> {
  if (named === undefined)
    throw usage(`${uri} is of no repository: say with --repository which one is named as its keeper.`);
  return (await findRepository(client, named)).id;
}

function readOption(text: string, taken: readonly string[]): readonly [string, string] {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? [];
  // The service leaves out of account what it does not know; here it is a slip of the pen.
  if (!taken.includes(name))
    throw usage(
      `${text} is no parameter of this document: ${taken.length === 0 ? 'it has none' : `there is ${taken.map((each) => `${each}=…`).join(', ')}`}.`,
    );
  return [name, value];
}
