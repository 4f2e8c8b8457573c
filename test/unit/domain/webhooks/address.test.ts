// Which addresses a webhook may call.
import { describe, expect, it } from 'vitest';
import { isPublicAddress, urlProblem } from '#domain/webhooks/address.ts';

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '[2a00:1450:4001::200e]',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    '3fff::1',
    'localhost',
    '',
    '1.2.3',
    '1.2.3.256',
    '1:2',
    ':::',
    '12345::1',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('the URL of a hook', () => {
  it('may be any public one', () => {
    for (const url of ['https://example.org/hook?a=1', 'http://93.184.216.34:8080/', 'https://[2606:4700::1111]/x'])
      expect(urlProblem(url, false)).toBeNull();
  });

  it('is refused where it means this network, in whatever spelling', () => {
    for (const url of [
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://localhost:8089/',
      'http://a.localhost/',
      'http://[::1]/',
      'http://[::ffff:7f00:1]/',
      'http://169.254.169.254/latest',
      'http://printer.local/',
    ]) {
      expect(urlProblem(url, false), url).toContain('private network');
      expect(urlProblem(url, true), url).toBeNull();
    }
  });

  it('is http or https without a password', () => {
    expect(urlProblem('file:///etc/passwd', true)).toBe('Must begin with https:// or http://');
    expect(urlProblem('nothing', true)).toBe('Not a URL');
    expect(urlProblem('https://a:b@example.org', true)).toBe('Must not hold a user or password');
  });
});
