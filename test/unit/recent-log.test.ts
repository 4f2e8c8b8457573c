// The lines of the log that are kept for GET /system/log.
import { expect, it } from 'vitest';
import { RecentLog } from '../../apps/recent-log.ts';

it('keeps the last lines, oldest first, however many are written', () => {
  const recent = new RecentLog(3);
  for (let n = 0; n < 20; n++) recent.write(`${n}\n`);
  expect(recent.text()).toBe('17\n18\n19\n');
  expect(new RecentLog().text()).toBe('');
});
