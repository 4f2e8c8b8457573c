// The way of the log to standard output, from processes of their own.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const path = fileURLToPath(new URL('../../apps/log-output.ts', import.meta.url));

/** What a process writes that has a LogOutput `output`, a logger `log` on it, and runs some code. */
function written(code: string): Promise<readonly string[]> {
  const script = `import { pino } from 'pino'; import { LogOutput } from ${JSON.stringify(path)}; const output = new LogOutput(); const log = pino({ base: null, timestamp: false }, pino.multistream([{ level: 'trace', stream: output }])); ${code}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', script], { maxBuffer: 2 ** 24 }, (_error, stdout) =>
      resolve(stdout.split('\n').slice(0, -1)),
    );
  });
}

it('writes every line in order, also those that wait when the process ends', async () => {
  const lines = await written('for (let n = 0; n < 5000; n++) log.info({ n }); process.exit(0);');
  expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 5000 }, (_, n) => n));
});

it('writes what waits where an exception ends the process', async () => {
  expect(await written("log.info('before'); throw new Error('unforeseen');")).toEqual(['{"level":30,"msg":"before"}']);
});

it('writes a fatal line and all before it at once', async () => {
  expect(await written("log.info('before'); log.fatal('last'); process.kill(process.pid, 'SIGKILL');")).toEqual([
    '{"level":30,"msg":"before"}',
    '{"level":60,"msg":"last"}',
  ]);
});

it('writes a line within a tenth of a second or so while the process goes on', async () => {
  const lines = await written("log.info('waits'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000);");
  expect(lines).toEqual(['{"level":30,"msg":"waits"}']);
});
