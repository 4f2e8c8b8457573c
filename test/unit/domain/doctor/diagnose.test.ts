// Findings that need no database: of settings, of what cannot be seen. All others: test/integration/cli/commands/doctor.test.ts.
import { describe, expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { diagnose, isWell } from '#domain/doctor/diagnose.ts';
import type { WorkFacts } from '#domain/doctor/facts.ts';
import type { Finding } from '#domain/doctor/finding.ts';
import { bytesText, timeText } from '#domain/doctor/finding.ts';
import { limits } from '#domain/doctor/limits.ts';
import { judgeServer } from '#domain/doctor/server.ts';
import { judgeSettings } from '#domain/doctor/settings.ts';
import { judgeDisk, judgeWork } from '#domain/doctor/work.ts';
import { quietServer, quietWork } from '#test/support/make/doctor-facts.ts';

const told = (found: readonly Finding[]): readonly string[] => found.map(({ level, says }) => `${level}: ${says}`);

describe('a diagnosis', () => {
  it('says nothing of an installation that is well', () => {
    expect(judgeServer(quietServer, limits, 10)).toEqual([]);
    expect(judgeWork(quietWork, limits)).toEqual([]);
    expect(judgeDisk({ server: quietServer, work: quietWork }, limits, 5e8)).toEqual([]);
    expect(judgeSettings(readConfig({}), [])).toEqual([]);
  });

  it('warns of the disk before it is a problem', () => {
    // 100 kB a day: 500 MB last for 5,000 days; 25 MB a day for 20, 100 MB a day for 5.
    const level = (bytes: number): readonly string[] => {
      const samples = [{ ageDays: 2, bytes: quietServer.sizeBytes - 2 * bytes }];
      const facts = { server: quietServer, work: { samples }, replicas: [] };
      return judgeDisk(facts, limits, 5e8).map((found) => `${found.level} ${found.id}`);
    };
    expect([1e5, 25e6, 1e8].map(level)).toEqual([[], ['warning disk_full_soon'], ['problem disk_full_soon']]);
  });

  it('knows the growth from the oldest size of the last weeks, and from none of less than a day', () => {
    const grows = (samples: WorkFacts['samples']): string | undefined =>
      judgeDisk({ server: { ...quietServer, freeBytes: null }, work: { samples } }, limits, 5e8)[0]?.says.replace(
        /^.*has /,
        '',
      );
    const [old, later, young] = [
      { ageDays: 20, bytes: quietServer.sizeBytes - 2e6 },
      { ageDays: 1, bytes: quietServer.sizeBytes - 4e6 },
      { ageDays: 0.9, bytes: 0 },
    ];
    expect(grows([old, later, young])).toBe('10.0 MB, and grows by 100.0 kB a day.');
    expect(grows([later, young])).toBe('10.0 MB, and grows by 4.0 MB a day.');
    expect(grows([young])).toBe('10.0 MB.');
    expect(grows([{ ageDays: 2, bytes: quietServer.sizeBytes }, later])).toBe('10.0 MB.');
    expect(grows([{ ageDays: 2, bytes: quietServer.sizeBytes * 2 }])).toBe('10.0 MB.');
  });

  it('says how much of the disk is kept, and by which setting', () => {
    const full = { server: { ...quietServer, freeBytes: 1e8 }, work: null };
    expect(judgeDisk(full, limits, 5e8)[0]?.says).toContain(
      '100.0 MB left, and 500.0 MB are kept (MUNIMENT_DISK_RESERVE_MB)',
    );
  });

  it('tells of settings that do not fit each other', () => {
    const of = (environment: { readonly [name: string]: string }, unknown: readonly string[] = []): readonly string[] =>
      told(diagnose({ server: quietServer, work: null, replicas: [] }, limits, readConfig(environment), unknown));
    expect(of({})).toEqual([]);
    expect(of({}, ['MUNIMENT_DATADIR'])).toEqual(['warning: No settings are called MUNIMENT_DATADIR.']);
    const wrong: readonly (readonly [{ readonly [name: string]: string }, RegExp])[] = [
      [{ HOST: '0.0.0.0', MUNIMENT_ADMIN_PASSWORD: 'admin', MUNIMENT_TRUST_PROXY: '1' }, /^problem: .* is admin/],
      [{ HOST: '0.0.0.0' }, /^notice: .*MUNIMENT_TRUST_PROXY is empty/],
      [{ MUNIMENT_SESSION_LIFETIME_SECONDS: '60' }, /^warning: .*MUNIMENT_SESSION_TTL_SECONDS/],
      [{ MUNIMENT_SESSION_LONG_LIFETIME_SECONDS: '60' }, /^warning: .*MUNIMENT_SESSION_LONG_TTL_SECONDS/],
      [{ MUNIMENT_MAX_BODIES_BYTES: '2048' }, /^warning: MUNIMENT_MAX_BODY_BYTES/],
      [{ MUNIMENT_WORKER_CONCURRENCY: '5' }, /^notice: A worker runs 5 jobs at once .* opens 11 .* than the 10 of/],
      [{ MUNIMENT_OAI_URL: 'https://a.example/oai' }, /^warning: Harvesters come to/],
      [{ MUNIMENT_DISK_RESERVE_MB: '100' }, /^notice: MUNIMENT_DISK_RESERVE_MB is 100/],
    ];
    for (const [environment, words] of wrong) expect(of(environment)).toEqual([expect.stringMatching(words)]);
    expect(of({ MUNIMENT_SESSION_LIFETIME_SECONDS: '0' })).toEqual([]);
    expect(of({ MUNIMENT_WORKER_CONCURRENCY: '16', MUNIMENT_POOL_SIZE: '22' })).toEqual([]);
  });

  it('says what it could not see, and nothing of growth that is not known', () => {
    const away = diagnose(
      { server: { ...quietServer, freeBytes: null }, work: null, replicas: [] },
      limits,
      readConfig({}),
      [],
    );
    expect(told(away)).toEqual(['notice: The disk of the database is not seen from here. The database has 10.0 MB.']);
    expect(isWell(away)).toBe(true);
    const little = diagnose(
      { server: { ...quietServer, sizeBytes: 1e11 }, work: null, replicas: [] },
      limits,
      readConfig({}),
      [],
    );
    expect(told(little)).toEqual([
      'warning: The disk of the database has 1.0 GB left, little for a database of 100.0 GB.',
    ]);
  });
});

it('shows figures in units that people read', () => {
  expect([0, 999, 1500, 2.5e9, 3e15].map(bytesText)).toEqual(['0 bytes', '999 bytes', '1.5 kB', '2.5 GB', '3000.0 TB']);
  expect([5, 600, 10_000, 864_000].map(timeText)).toEqual(['5 s', '10 minutes', '3 hours', '10 days']);
});
