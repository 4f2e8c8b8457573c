// What shells are told to complete commands and options by.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { filesForTests, runCli } from '../run-cli.ts';

const files = filesForTests();

describe('completion', () => {
  it('completes commands, those below them, and options in bash', async () => {
    const script = files.put('completion.bash', (await runCli(['completion', 'bash'])).stdout);
    const complete = (...words: readonly string[]): readonly string[] => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const code = `source ${script}; COMP_WORDS=(muniment ${list}); COMP_CWORD=${words.length}; _muniment; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const done = spawnSync('bash', ['--norc', '-c', code], { encoding: 'utf8' });
      expect(done.stderr).toBe('');
      return done.stdout.trim().split('\n');
    };
    expect(complete('re')).toEqual(['repositories', 'reindex']);
    expect(complete('jobs', 'f')).toEqual(['files']);
    expect(complete('jobs', 'files', '--t')).toEqual(['--to']);
    expect(complete('user', 'p')).toEqual(complete('users', 'p'));
    expect(complete('user', 'invite', '--c')).toEqual(['--csv']);
    expect(complete('export', 'x', '--format', 'ead', '--o')).toEqual(['--out', '--option']);
  });

  it.each(['zsh', 'fish'])('tells %s every command', async (shell) => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    for (const name of ['import', 'export', 'profiles', 'passwd', 'format']) expect(stdout).toContain(name);
    expect(stdout).toContain(shell === 'zsh' ? '" users"|" user")' : '__fish_seen_subcommand_from users user');
  });
});
