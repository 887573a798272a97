import type { OpenAPIObject } from '@nestjs/swagger';

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
  ErrorMessage: { type: 'string', description: 'The error and its remedy, for a person.' },
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
    'The id to tell us when it was our fault.',
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
