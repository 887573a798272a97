import { describe, expect, it } from 'vitest';
import { NO_PROXIES, parseAddress, parseTrustedProxies } from './trusted-proxies.js';

/** rules/http 12 */
describe('the proxies that are trusted', () => {
  const proxies = parseTrustedProxies('10.0.0.7, 10.1.0.0/16,2001:db8::/32,::1');

  it.each(['10.0.0.7', '::ffff:10.0.0.7', '10.1.255.1', '10.1.2.3:4711', '2001:db8:1::9', '::1'])(
    'hold %s',
    (address) => {
      expect(proxies.has(address)).toBe(true);
    },
  );

  it.each(['10.0.0.8', '::ffff:10.0.0.8', '10.2.0.1', '2001:db9::1', '[::2]:443', 'unknown', ''])(
    'do not hold "%s"',
    (address) => {
      expect(proxies.has(address)).toBe(false);
    },
  );

  it('are none where none is named', () => {
    expect(NO_PROXIES.has('127.0.0.1')).toBe(false);
  });

  it.each([
    ...['true', '*', 'loopback', 'proxy.example', '10.0.0', '10.0.0.7,', '10.0.0.0/33'],
    ...['0.0.0.0/0', '::/0', '2001:db8::/129', '10.0.0.0/8/8', '10.0.0.0/', 'fe80::1%eth0'],
  ])('are no names and never everybody: "%s"', (text) => {
    expect(() => parseTrustedProxies(text)).toThrow('must hold addresses and ranges');
  });

  it('are few', () => {
    expect(() => parseTrustedProxies('10.0.0.7,'.repeat(500) + '10.0.0.7')).toThrow('at most 500');
  });
});

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8::9', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['[2001:db8::9]:51234', '2001:db8::9'],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['203.0.113.9, 1.1.1.1', undefined],
  ['203.0.113.999', undefined],
  ['<script>', undefined],
  ['fe80::1%eth0', undefined],
  ['', undefined],
])('reads an address from "%s"', (text, address) => {
  expect(parseAddress(text)).toBe(address);
});
