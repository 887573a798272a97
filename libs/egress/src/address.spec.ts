import { describe, expect, it } from 'vitest';
import { isForbiddenAddress } from './address.js';

const strict = { allowInsecure: false };
const lax = { allowInsecure: true };

describe('an address that was resolved, or that a socket is connected to', () => {
  it.each([
    ['93.184.216.34', false],
    ['2606:2800:220:1:248:1893:25c8:1946', false],
    ['127.0.0.1', true],
    ['10.0.0.1', true],
    ['not an address', true],
  ])('over https is forbidden unless it is public: %s', (address, isForbidden) => {
    expect(isForbiddenAddress(address, 'https:', strict)).toBe(isForbidden);
  });

  it.each([
    ['127.0.0.1', false],
    ['127.9.9.9', false],
    ['::1', false],
    ['93.184.216.34', true],
    ['2606:2800:220:1:248:1893:25c8:1946', true],
    ['10.0.0.1', true],
    ['192.168.1.1', true],
    ['::ffff:127.0.0.1', true],
  ])('over http is forbidden unless it is loopback: %s', (address, isForbidden) => {
    expect(isForbiddenAddress(address, 'http:', lax)).toBe(isForbidden);
    expect(isForbiddenAddress(address, 'http:', strict)).toBe(true);
  });
});
