// The command line as its help shows it: every command with its arguments, options and examples.
import { expect, it } from 'vitest';
import { expectKept } from '#test/support/kept.ts';
import { runCli } from '../../integration/cli/run-cli.ts';

/** The help of a command and of those below it. */
async function helpOf(command: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli([...command, '--help']);
  expect([code, stderr]).toEqual([0, '']);
  const [, listed = ''] = /\nCommands:\n([^]*?)\n(?:\n|$)/.exec(stdout) ?? [];
  const names = [...listed.matchAll(/^ {2}(\w[\w-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
  let text = `# ${['muniment', ...command].join(' ')}\n\n${stdout}\n`;
  for (const name of names) text += await helpOf([...command, name]);
  return text;
}

it('shows every command', async () => {
  const help = await helpOf([]);
  expect(help).toContain('# muniment users passwd\n');
  await expectKept(help, 'command-line.txt');
});

it.each(['bash', 'zsh', 'fish'])('completes every command and option in %s', async (shell) => {
  const { code, stdout, stderr } = await runCli(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  await expectKept(stdout, `completion/${shell}`);
});

it.each([
  [['frobnicate'], "error: unknown command 'frobnicate'\n(--help tells more)\n"],
  [['show'], "error: missing required argument 'uri'\n(--help tells more)\n"],
  [
    ['search', 'x', '--page', '0'],
    "error: option '--page <number>' argument '0' is invalid. It takes a whole number from 1 up.\n(--help tells more)\n",
  ],
])('ends wrong use with 2 and where to read more: %j', async (args, stderr) => {
  expect(await runCli(args)).toEqual({ code: 2, stdout: '', stderr });
});
