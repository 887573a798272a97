import { describe, expect, it } from 'vitest';
import type { Environment } from '#domain/event';
import { returnUrlViolations } from './link-rules.js';

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

  it.each(['id', 'checkout', '%69d', 'flag&id', 'a=1&checkout=maybe'])(
    'is refused where its query has a parameter that the page adds: ?%s',
    (query) => {
      expect(refusal(`https://game.example/?${query}`, 'test')).toBe(
        'its query has checkout or id, which the page adds',
      );
    },
  );

  it.each(['?ID=7', '?id%5B%5D=7', '?ids=7&checkouts=1', '#id=7', '#/shop?id=7'])(
    'may have what is not such a parameter: %s',
    (rest) => {
      expect(refusal(`https://game.example/${rest}`, 'production')).toBeUndefined();
    },
  );

  it.each([
    'https:game.example/shop',
    'https:/game.example/shop',
    'http://game.example/',
    'javascript:alert(1)',
    'game.example',
    'https://user:secret@game.example/',
    'https://game.example/ shop',
  ])('is never %s', (url) => {
    expect(refusal(url, 'test')).toBeDefined();
  });
});
