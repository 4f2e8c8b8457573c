// Who is sent compressed replies: whoever says so (RFC 9110 12.5.3).
import { expect, it } from 'vitest';
import { acceptsGzip } from '../../../../apps/api/reply/accepts-gzip.ts';

it.each(['gzip', 'x-gzip', 'deflate, GZIP', 'br;q=1.0, gzip;q=0.5', ' gzip ; q=0.001'])('takes "%s"', (header) => {
  expect(acceptsGzip(header)).toBe(true);
});

it.each([undefined, '', 'br', 'gzip;q=0', 'gzip; q=0.000', 'identity', 'gzipped', '*;q=0'])('not "%s"', (header) => {
  expect(acceptsGzip(header)).toBe(false);
});
