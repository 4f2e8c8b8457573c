// `muniment tree`: the tree of a resource, digital object or classification, indented, printed while it is read.
import type { Command } from 'commander';
import { usage } from '../failure.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { shown } from '../output.ts';
import { findRepository } from '../repository.ts';
import type { Place } from '../tree-walk.ts';
import { walkTree } from '../tree-walk.ts';
import { positive } from './jobs.ts';

type TreeOptions = ConnectionOptions & {
  readonly repository?: string;
  readonly depth?: number;
  readonly uris?: boolean;
};

/** Adds the command. */
export function addTree(program: Command, environment: Environment): void {
  const command = program
    .command('tree')
    .summary('print the tree of a resource')
    .description(
      'Prints the components below a resource, digital object or classification with their levels and dates. With --json one object a line.',
    )
    .argument('<uri or id>', 'uri of the root; or the id of a resource, with --repository')
    .option('--repository <id or code>', 'the repository of the id')
    .option('--depth <number>', 'levels below the root; all of them unless told', positive)
    .option('--uris', 'print uris too')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment tree /repositories/2/resources/1
  $ muniment tree 1 --repository MANUSCRIPTS --depth 2 --uris
  $ muniment tree /repositories/2/resources/1 --json`,
    );
  addConnectionOptions(command);
  command.action((named: string, options: TreeOptions) =>
    withClient(environment, options, async (call) => {
      const { client, output } = call;
      const root = await toRootUri(call, named, options.repository);
      for await (const place of walkTree(client, root, options.depth ?? Number.POSITIVE_INFINITY)) {
        output.result(place, [`${lineOf(place)}${options.uris === true ? `  ${place.uri}` : ''}`]);
      }
    }),
  );
}

async function toRootUri({ client }: Call, named: string, repository: string | undefined): Promise<string> {
  if (/^\/repositories\/\d+\/(resources|digital_objects|classifications)\/\d+$/.test(named)) return named;
  if (!/^[1-9]\d*$/.test(named))
    throw usage(
      `${named} is no root of a tree: give the uri of a resource, digital object or classification, or the id of a resource with --repository.`,
    );
  if (repository === undefined)
    throw usage(`Of which repository is resource ${named}? Give --repository, or the whole uri.`);
  return `${(await findRepository(client, repository)).uri}/resources/${named}`;
}

function lineOf({ depth, title, level, identifier, dates }: Place): string {
  const name = shown(title) === '' ? '(no title)' : shown(title);
  const about = [
    ...(depth === 0 && identifier !== null ? [shown(identifier)] : []),
    ...(level === null ? [] : [`[${shown(level)}]`]),
    ...dates.map(shown),
  ];
  return `${'  '.repeat(depth)}${name}${about.length === 0 ? '' : `  ${about.join(' ')}`}`;
}
