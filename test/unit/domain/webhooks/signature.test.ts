// Signatures and pauses of deliveries.
import { expect, it } from 'vitest';
import { mostAttempts, pauseAfter } from '#domain/webhooks/retry.ts';
import { signatureOf } from '#domain/webhooks/signature.ts';

it('the signature is the HMAC-SHA256 of timestamp and body, as other programs compute it', () => {
  // printf '1700000000.{"type":"ping"}' | openssl dgst -sha256 -hmac 'a secret of sixteen'
  expect(signatureOf('a secret of sixteen', 1_700_000_000, '{"type":"ping"}')).toBe(
    'sha256=e46ece6d86890372ac355df6b2b9294487d6f277d9539f1545a013b095596bf7',
  );
});

it('pauses grow to four hours and end within a day', () => {
  const pauses = Array.from({ length: mostAttempts - 1 }, (_, n) => pauseAfter(n + 1));
  expect(pauses.slice(0, 3)).toEqual([5_000, 15_000, 45_000]);
  expect(Math.max(...pauses)).toBe(4 * 3_600_000);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(24 * 3_600_000);
});
