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

// Base and last address of each block; the addresses beside them are public where no other block begins there.
describe.each([
  ['0.0.0.0', '0.255.255.255', [null, '1.0.0.0']],
  ['10.0.0.0', '10.255.255.255', ['9.255.255.255', '11.0.0.0']],
  ['100.64.0.0', '100.127.255.255', ['100.63.255.255', '100.128.0.0']],
  ['127.0.0.0', '127.255.255.255', ['126.255.255.255', '128.0.0.0']],
  ['169.254.0.0', '169.254.255.255', ['169.253.255.255', '169.255.0.0']],
  ['172.16.0.0', '172.31.255.255', ['172.15.255.255', '172.32.0.0']],
  ['192.0.0.0', '192.0.0.255', ['191.255.255.255', '192.0.1.0']],
  ['192.0.2.0', '192.0.2.255', ['192.0.1.255', '192.0.3.0']],
  ['192.31.196.0', '192.31.196.255', ['192.31.195.255', '192.31.197.0']],
  ['192.52.193.0', '192.52.193.255', ['192.52.192.255', '192.52.194.0']],
  ['192.88.99.0', '192.88.99.255', ['192.88.98.255', '192.88.100.0']],
  ['192.168.0.0', '192.168.255.255', ['192.167.255.255', '192.169.0.0']],
  ['192.175.48.0', '192.175.48.255', ['192.175.47.255', '192.175.49.0']],
  ['198.18.0.0', '198.19.255.255', ['198.17.255.255', '198.20.0.0']],
  ['198.51.100.0', '198.51.100.255', ['198.51.99.255', '198.51.101.0']],
  ['203.0.113.0', '203.0.113.255', ['203.0.112.255', '203.0.114.0']],
  ['224.0.0.0', '255.255.255.255', ['223.255.255.255', null]],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', ['2000:ffff::', '2001:200::']],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:db7:ffff::', '2001:db9::']],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:ffff::', '2003::']],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', ['2620:4f:7fff::', '2620:4f:8001::']],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', ['3ffe:ffff::', '3fff:1000::']],
] as const)('the block from %s to %s', (first, last, beside) => {
  it('is no part of the internet, and ends there', () => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
    for (const address of beside)
      if (address !== null) expect([address, isPublicAddress(address)]).toEqual([address, true]);
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
