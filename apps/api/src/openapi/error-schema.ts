import type { OpenAPIObject } from '@nestjs/swagger';
import { STATUS } from '#nest/errors';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const TYPE = 'type.googleapis.com/google.rpc.';
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A detail of an error, told apart by its `@type`. */
const detail = (
  name: string,
  properties: Record<string, Schema>,
  description?: string,
): Schema => ({
  type: 'object',
  ...(description !== undefined && { description }),
  required: ['@type', ...Object.keys(properties)],
  properties: { '@type': { type: 'string', enum: [TYPE + name] }, ...properties },
  additionalProperties: false,
});

const FIELD_VIOLATION: Schema = {
  type: 'object',
  required: ['field', 'description'],
  properties: { field: { type: 'string' }, description: { type: 'string' } },
  additionalProperties: false,
};

/** The parts that errors have in common (rules/api 12). */
export const ERROR_PARTS: Readonly<Record<string, Schema>> = {
  ErrorMessage: { type: 'string', description: 'What was wrong, and what to do, for a person.' },
  ErrorDomain: { type: 'string', enum: ['subledger'] },
  ErrorMetadata: { type: 'object', additionalProperties: { type: 'string' } },
  ErrorDetail: { oneOf: [ref('BadRequest'), ref('RetryInfo'), ref('RequestInfo')] },
  BadRequest: detail(
    'BadRequest',
    { fieldViolations: { type: 'array', maxItems: 100, items: FIELD_VIOLATION } },
    'Every bad field, a hundred at most.',
  ),
  RetryInfo: detail(
    'RetryInfo',
    { retryDelay: { type: 'string', pattern: '^\\d+s$', example: '1s' } },
    'When to try again, as `Retry-After` says.',
  ),
  RequestInfo: detail(
    'RequestInfo',
    { requestId: { type: 'string' }, servingData: { type: 'string' } },
    'What to tell us when it was our fault.',
  ),
};

/**
 * An error: the JSON form of google.rpc.Status, with one of these codes, and with exactly one ErrorInfo,
 * which has one of these reasons (rules/api 12).
 */
export function describeError(codes: readonly number[], reasons: readonly string[]): Schema {
  const errorInfo = detail('ErrorInfo', {
    reason: { type: 'string', enum: [...reasons] },
    domain: ref('ErrorDomain'),
    metadata: ref('ErrorMetadata'),
  });
  return {
    type: 'object',
    required: ['code', 'message', 'details'],
    properties: {
      code: { type: 'integer', enum: [...codes] },
      message: ref('ErrorMessage'),
      details: { type: 'array', items: { oneOf: [errorInfo, ref('ErrorDetail')] } },
    },
    additionalProperties: false,
  };
}

const info = (reason: string) => ({
  '@type': `${TYPE}ErrorInfo`,
  reason,
  domain: 'subledger',
  metadata: {},
});
const requestInfo = {
  '@type': `${TYPE}RequestInfo`,
  requestId: '0b7f3c1e-8d2a-4f6b-9c55-1e2d3c4b5a69',
  servingData: '',
};

/** Where the status alone says what the answer looks like. */
export const ERROR_EXAMPLES: Readonly<Record<number, object>> = {
  500: {
    code: STATUS.INTERNAL.code,
    message: 'Something went wrong on our side. Tell us the request id.',
    details: [info('INTERNAL'), requestInfo],
  },
  503: {
    code: STATUS.UNAVAILABLE.code,
    message: 'The service cannot answer at present. Try again.',
    details: [info('UNAVAILABLE'), { '@type': `${TYPE}RetryInfo`, retryDelay: '1s' }, requestInfo],
  },
};
