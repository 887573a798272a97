import type { OpenAPIObject } from '@nestjs/swagger';
import { STATUS } from '#nest/errors';

type Components = NonNullable<OpenAPIObject['components']>;
type Response = NonNullable<Components['responses']>[string];

const TYPE = 'type.googleapis.com/google.rpc.';
const INFO = `${TYPE}ErrorInfo`;
const CODES = [...new Set(Object.values(STATUS).map(({ code }) => code))].sort((a, b) => a - b);

/** The one shape of all errors: the JSON form of google.rpc.Status (rules/api 12). */
export const ERROR_SCHEMA: NonNullable<Components['schemas']>[string] = {
  type: 'object',
  description: 'The JSON form of google.rpc.Status.',
  required: ['code', 'message', 'details'],
  properties: {
    code: {
      type: 'integer',
      enum: CODES,
      description: 'The code of google.rpc; the HTTP status follows from it.',
    },
    message: { type: 'string', description: 'What was wrong, and what to do, for a person.' },
    details: {
      type: 'array',
      description:
        'Exactly one google.rpc.ErrorInfo, whose `reason` is stable and what a program goes by; ' +
        'BadRequest with every bad field; RetryInfo where trying again may help; RequestInfo when it was our fault.',
      items: {
        type: 'object',
        required: ['@type'],
        properties: { '@type': { type: 'string', example: INFO } },
        additionalProperties: true,
      },
    },
  },
  additionalProperties: false,
  example: {
    code: 9,
    message: 'The subscription has expired; nothing can change it any more.',
    details: [{ '@type': INFO, reason: 'SUBSCRIPTION_EXPIRED', domain: 'subledger', metadata: {} }],
  },
};

const schema = { $ref: '#/components/schemas/Error' };
const content = { 'application/json': { schema } };

const UNAVAILABLE = {
  code: STATUS.UNAVAILABLE.code,
  message: 'The service cannot answer at present. Try again.',
  details: [
    { '@type': INFO, reason: 'UNAVAILABLE', domain: 'subledger', metadata: {} },
    { '@type': `${TYPE}RetryInfo`, retryDelay: '1s' },
    {
      '@type': `${TYPE}RequestInfo`,
      requestId: '0b7f3c1e-8d2a-4f6b-9c55-1e2d3c4b5a69',
      servingData: '',
    },
  ],
};

/** Every operation can be refused, and can fail. */
export const ERROR_RESPONSES: Record<'Refused' | 'Failed', Response> = {
  Refused: { description: 'Refused; nothing was changed.', content },
  Failed: {
    description:
      'Not answered: our fault (500), or a part that we need is out of reach (503). ' +
      'A change may have happened: the same request with the same Idempotency-Key is safe.',
    content: { 'application/json': { schema, example: UNAVAILABLE } },
  },
};
