import { describe, expect, it } from 'vitest';
import { golden, goldenNames, pretty } from '../golden-files.js';
import { ApiError, invalidFields, notFound } from '../../../libs/nest/src/http/answer/api-error.js';
import { errorBody, retryAfterSeconds } from '../../../libs/nest/src/http/answer/error-body.js';
import { rejected } from '../../../libs/nest/src/commands/rejections.js';

/** One of each form that an error body can have (rules/api 12). */
const errors: Readonly<Record<string, ApiError>> = {
  refused: rejected({ code: 'subscription/expired' }),
  'refused-with-detail': rejected({ code: 'plan/code_taken', detail: 'gold' }),
  'not-found': notFound('plan', 'plan_01'),
  'bad-fields': invalidFields([
    { field: 'prices.0.currency', description: 'must be an ISO 4217 currency code, such as USD' },
    { field: 'colour', description: 'is not a field of this request' },
  ]),
  unavailable: new ApiError('UNAVAILABLE', {
    reason: 'UNAVAILABLE',
    message: 'The service cannot answer at present. Try again.',
    retryAfterMs: 1500,
  }),
  internal: new ApiError('INTERNAL', {
    reason: 'INTERNAL',
    message: 'Something went wrong on our side. Tell us the request id.',
  }),
};

describe('an error body', () => {
  it.each(Object.entries(errors))('that is %s is the golden one', (name, error) => {
    const found = pretty(errorBody(error, 'request-1'));
    expect(found).toBe(golden('errors', name, found));
  });

  it('has a case here for every golden file', () => {
    expect(goldenNames('errors').sort()).toEqual(Object.keys(errors).sort());
  });

  it.each(Object.entries(errors))('that is %s has exactly one ErrorInfo', (_, error) => {
    const { details } = errorBody(error, 'request-1');
    const infos = details.filter(({ '@type': type }) => String(type).endsWith('.ErrorInfo'));
    expect(infos).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  it.each([
    [0, 1],
    [1, 1],
    [1000, 1],
    [1001, 2],
    [60_000, 60],
  ])('of %i ms is %i whole seconds', (retryAfterMs, seconds) => {
    expect(retryAfterSeconds(retryAfterMs)).toBe(seconds);
  });
});
