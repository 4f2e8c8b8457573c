// What ties commands to their process: the folder that they were called in, and Ctrl-C. How commands end by it is in test/fault/commands-interrupted.test.ts.
import { afterEach, expect, it, vi } from 'vitest';
import { callersFolder } from '../../../apps/cli/callers-folder.ts';
import { interruption } from '../../../apps/cli/interruption.ts';

afterEach(() => vi.unstubAllEnvs());

it('begins relative paths where npm was called, for the script that npm runs alone', () => {
  vi.stubEnv('INIT_CWD', '/called/here');
  vi.stubEnv('npm_lifecycle_event', 'backup');
  expect([callersFolder('backup'), callersFolder('restore')]).toEqual(['/called/here', process.cwd()]);
  vi.stubEnv('INIT_CWD', undefined);
  expect(callersFolder('backup')).toBe(process.cwd());
});

const names = ['SIGINT', 'SIGTERM'] as const;

it.each(names)('hears of %s once, and ends the process by the second one', (name) => {
  const others = new Set(names.flatMap((each) => process.listeners(each)));
  const signal = interruption(new Error('enough'));
  const own = process.listeners(name).filter((each) => !others.has(each));
  const end = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  try {
    expect([own.length, signal.aborted]).toEqual([1, false]);
    own[0]?.(name);
    expect(signal.reason).toEqual(new Error('enough'));
    expect(end).not.toHaveBeenCalled();
    own[0]?.(name);
    expect(end).toHaveBeenCalledWith(130);
  } finally {
    end.mockRestore();
    for (const each of names)
      for (const listener of process.listeners(each)) if (!others.has(listener)) process.off(each, listener);
  }
});
