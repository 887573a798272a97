import { describe, expect, it } from '@jest/globals';
import type { Environment } from '#domain/event';
import { returnUrlViolations } from './return-url.js';

/** Why an address is refused; undefined when it is taken. */
function refusal(url: string | undefined, environment: Environment): string | undefined {
  const [violation] = returnUrlViolations(url, environment);
  if (violation !== undefined) expect(violation.field).toBe('returnUrl');
  return violation?.description;
}

describe('the address that leads back to the game', () => {
  it.each([undefined, 'https://game.example/shop?tab=passes#gold'])('may be %s', (url) => {
    expect(refusal(url, 'production')).toBeUndefined();
    expect(refusal(url, 'test')).toBeUndefined();
  });

  it.each([
    'http://localhost:3000/',
    'http://127.0.0.1:3000/',
    'http://[::1]/',
    'https://localhost/',
  ])('may be %s in a test app alone', (url) => {
    expect(refusal(url, 'test')).toBeUndefined();
    expect(refusal(url, 'production')).toBeDefined();
  });

  it.each([
    'http://game.example/',
    'javascript:alert(1)',
    'game.example',
    'https://user:secret@game.example/',
    'https://game.example/ shop',
  ])('is never %s', (url) => {
    expect(refusal(url, 'test')).toBeDefined();
  });
});
