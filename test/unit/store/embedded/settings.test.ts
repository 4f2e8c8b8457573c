// What the embedded server is started with.
import { expect, test } from 'vitest';
import { serverArguments, sharedBuffersMegabytes } from '#store/embedded/settings.ts';

const gigabyte = 1024 ** 3;

test.each([
  ['of a machine without a limit', 8, 0, 512],
  ['of a machine whose limit is more than it has', 8, 2 ** 34, 512],
  ['of a container, and not of the machine it is on', 64, 4, 256],
  ['of a large machine, up to a gigabyte', 64, 0, 1024],
  ['of a small one, of which the server wants some', 1, 0.5, 128],
])('a sixteenth of the memory %s', (_what, machine, limit, megabytes) => {
  expect(sharedBuffersMegabytes(machine * gigabyte, limit * gigabyte)).toBe(megabytes);
});

test('settings of an operator win over our own', () => {
  const given = serverArguments('/cluster', '/socket', { max_connections: '50', work_mem: '8MB' });
  expect(given.filter((each) => each.startsWith('max_connections='))).toEqual(['max_connections=50']);
  expect(given).toContain('work_mem=8MB');
});
