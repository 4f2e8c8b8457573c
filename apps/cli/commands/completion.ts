// `muniment completion`: what a shell needs to complete commands and options, made from the commands that there are.
import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Environment } from '../environment.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** A command with its place, as 'jobs log' ('' for the program itself), all names of its own, and what may follow it. */
type Place = {
  readonly path: string;
  readonly names: readonly string[];
  readonly summary: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly { readonly long: string; readonly says: string; readonly takesValue: boolean }[];
};

/** Adds the command. Added after all others, of which it tells. */
export function addCompletion(program: Command, environment: Environment): void {
  program
    .command('completion')
    .summary('complete commands in bash, zsh or fish')
    .description('Prints the script by which a shell completes the commands and options of `muniment`.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  $ source <(muniment completion bash)
  $ muniment completion zsh > ~/.zfunc/_muniment
  $ muniment completion fish > ~/.config/fish/completions/muniment.fish`,
    )
    .action((shell: Shell) => void environment.streams.stdout.write(scriptFor(shell, placesOf(program, ''))));
}

function placesOf(command: Command, path: string): readonly Place[] {
  const commands = command.commands.map((each) => ({ name: each.name(), summary: each.summary() }));
  const options = [
    ...command.options,
    ...(path === '' ? [] : [{ long: '--help', description: 'help', required: false, optional: false }]),
  ];
  const here = {
    path,
    names: [command.name(), ...command.aliases()],
    summary: command.summary(),
    commands,
    options: options.flatMap(({ long, description, required, optional }) =>
      long === undefined || long === null ? [] : [{ long, says: description, takesValue: required || optional }],
    ),
  };
  return [here, ...command.commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`.trim()))];
}

function scriptFor(shell: Shell, places: readonly Place[]): string {
  if (shell === 'fish') return fish(places);
  return shell === 'bash' ? bash(places) : zsh(places);
}

const wordsOf = ({ commands, options }: Place): string =>
  [...commands.map(({ name }) => name), ...options.map(({ long }) => long)].join(' ');

/** The walk over the words before the cursor, in what bash and zsh share: `place` becomes the command that they name. */
const walk = (places: readonly Place[], words: string): string => `  local place="" word
  for word in ${words}; do
    case "$place $word" in
${places
  .filter(({ path }) => path !== '')
  .map(({ path, names }) => {
    // What stands before it is the place that the words before have led to, under its first name.
    const before = path.split(' ').slice(0, -1).join(' ');
    return `      ${names.map((name) => `"${before} ${name}"`).join('|')}) place="${path}" ;;`;
  })
  .join('\n')}
    esac
  done
  local words_=""
  case "$place" in
${places.map((place) => `    "${place.path}") words_="${wordsOf(place)}" ;;`).join('\n')}
  esac`;

const bash = (
  places: readonly Place[],
): string => `# Completion of muniment for bash: source <(muniment completion bash)
_muniment() {
${walk(places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  COMPREPLY=($(compgen -W "$words_" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _muniment muniment
`;

const zsh = (places: readonly Place[]): string => `#compdef muniment
# Completion of muniment for zsh: a file _muniment in a folder of $fpath.
_muniment() {
${walk(places, '"${(@)words[2,CURRENT-1]}"')}
  compadd -- \${=words_}
  _files
}
# Loaded as a function of $fpath it is called at once, sourced it is only made known.
if [ "$funcstack[1]" = "_muniment" ]; then _muniment "$@"; else compdef _muniment muniment; fi
`;

function fish(places: readonly Place[]): string {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const namesOf = (word: string): readonly string[] => places.find(({ names }) => names[0] === word)?.names ?? [word];
  const lines = places.flatMap(({ path, commands, options }) => {
    const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${namesOf(word).join(' ')}`);
    const names = commands.map(({ name }) => name).join(' ');
    const at = path === '' ? '__fish_use_subcommand' : seen.join('; and ');
    const first = path === '' || names === '' ? at : `${at}; and not __fish_seen_subcommand_from ${names}`;
    return [
      ...commands.map(
        ({ name, summary }) => `complete -c muniment -f -n ${quoted(first)} -a ${name} -d ${quoted(summary)}`,
      ),
      ...options.map(
        ({ long, says, takesValue }) =>
          `complete -c muniment -n ${quoted(at)} -l ${long.replace(/^--/, '')}${takesValue ? ' -r' : ''} -d ${quoted(says)}`,
      ),
    ];
  });
  return `# Completion of muniment for fish: ~/.config/fish/completions/muniment.fish\n${lines.join('\n')}\n`;
}
