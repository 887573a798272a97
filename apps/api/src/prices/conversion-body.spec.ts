import { describe, expect, it } from 'vitest';
import { ApiError } from '#nest/errors';
import { readConversionBody } from './conversion-body.js';

const NOW = '2027-06-01T00:00:00.000Z';
const good = { sourceCurrency: 'USD', destinationCountry: 'DE', priceIds: ['gems'] };

function badFields(body: unknown): Record<string, string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  try {
    readConversionBody(Buffer.from(text), NOW);
    return {};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const named = error.fieldViolations.map(({ field, description }) => [field, description]);
    return Object.fromEntries(named) as Record<string, string>;
  }
}

describe('the body of a conversion', () => {
  it('is taken as it is where the types are right; its values are for the domain', () => {
    const odd = { ...good, destinationCountry: 'XX', rounding: 'up' };
    expect(readConversionBody(Buffer.from(JSON.stringify(odd)), NOW)).toEqual(odd);
  });

  it('is a JSON object', () => {
    expect(Object.keys(badFields(''))).toEqual(['body']);
    expect(Object.keys(badFields('[]'))).toEqual(['body']);
    expect(Object.keys(badFields('{"a":'))).toEqual(['body']);
    expect(Object.keys(badFields('{"__proto__":{}}'))).toEqual(['__proto__']);
    expect(Object.keys(badFields({ ...good, priceIds: ['gems', 'a\0'] }))).toEqual(['priceIds']);
  });

  it('is refused for wrong types and wrong values together, each field once', () => {
    expect(badFields({ ...good, priceIds: [1], destinationCountry: 'xx', extra: 1 })).toEqual({
      extra: 'is not a field of this request',
      priceIds: expect.stringContaining('must be a list of strings'),
      destinationCountry: expect.stringContaining('"xx" is not a country'),
    });
  });
});
