import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiError, notFound, rejected } from '#nest';
import { STATUS } from '#nest/errors';
import type { AnswerHeader } from './answer-headers.js';
import { exemplifyRefusal } from './error-examples.js';
import { describeError } from './error-schema.js';
import { REFUSALS, type Refusals } from './generated/refusals.js';
import { REASON_MEANINGS } from './reason-meanings.js';

type Components = NonNullable<OpenAPIObject['components']>;
type Response = NonNullable<Components['responses']>[string];
type Reference = { readonly $ref: string };

/** What an operation is asked with, as far as its refusals go by that. */
export interface Asked {
  readonly operationId: string;
  readonly isRead: boolean;
  readonly isOfOperators: boolean;
}

/** Where an error comes from decides whether a read, which has no body and changes nothing, can get it. */
const OF_CHANGES = [
  'BODY_TOO_LARGE',
  'CONCURRENT_CHANGE',
  'MALFORMED_JSON',
  'UNSUPPORTED_CONTENT_TYPE',
];
/** Bad fields of any kind: parameters, queries and bodies of all operations have rules. */
const INVALID_FIELDS = new ApiError('INVALID_ARGUMENT', {
  reason: 'INVALID_FIELDS',
  message: REASON_MEANINGS['INVALID_FIELDS'] ?? '',
  fieldViolations: [{ field: 'currency', description: 'must be a currency of ISO 4217' }],
});

/** Stands in examples for what is not there. */
const UNKNOWN = '...';

/**
 * How an operation is refused, by HTTP status: every reason that there can be, and no other
 * (decision 0141). What all operations have in common stands in the components.
 */
export function refusalResponses(asked: Asked): Record<string, Response | Reference> {
  const common = byStatus(commonErrors(asked));
  const own = ownErrors(REFUSALS[asked.operationId]).filter(
    // All others have their app by their credentials.
    ({ reason }) => asked.isOfOperators || reason !== 'APP_NOT_FOUND',
  );
  // What is its own comes first, and is shown.
  const all = byStatus([...own, ...commonErrors(asked)]);
  const responses = [...all].map(([status, errors]) => {
    const isCommon = listReasons(errors).join() === listReasons(common.get(status) ?? []).join();
    const reference = { $ref: `#/components/responses/${responseName(status, asked)}` };
    return [String(status), isCommon ? reference : render(status, errors)] as const;
  });
  return Object.fromEntries(responses);
}

/** The responses that `refusalResponses` refers to. */
export function commonResponses(): Record<string, Response> {
  const asked = [true, false].flatMap((isRead) =>
    [true, false].map((isOfOperators) => ({ operationId: '', isRead, isOfOperators })),
  );
  const responses = asked.flatMap((each) =>
    [...byStatus(commonErrors(each))].map(
      ([status, errors]) => [responseName(status, each), render(status, errors)] as const,
    ),
  );
  return Object.fromEntries(responses);
}

function commonErrors({ isRead, isOfOperators }: Asked): ApiError[] {
  const { everywhere, operators } = REFUSALS;
  const errors = [INVALID_FIELDS, ...ownErrors(everywhere)];
  if (isOfOperators) errors.push(...ownErrors(operators));
  return errors.filter(({ reason }) => !isRead || !OF_CHANGES.includes(reason));
}

function ownErrors(refusals: Refusals | undefined): ApiError[] {
  const { errors, rejections, missing } = refusals ?? { errors: [], rejections: [], missing: [] };
  return [
    ...errors.map(
      ([status, reason, http]) =>
        new ApiError(status, {
          ...{ reason, message: REASON_MEANINGS[reason] ?? '' },
          ...(http !== undefined && { http }),
        }),
    ),
    // It says what is missing by the name of the object.
    ...rejections.filter((code) => code !== 'command/not_found').map((code) => rejected({ code })),
    ...missing.map((what) => notFound(what, UNKNOWN)),
  ];
}

function byStatus(errors: readonly ApiError[]): Map<number, ApiError[]> {
  const statuses = [...new Set(errors.map(({ http }) => http))].sort((a, b) => a - b);
  return new Map(statuses.map((status) => [status, errors.filter(({ http }) => http === status)]));
}

/** What is the same for all has one name; bodies and roles make a difference. */
function responseName(status: number, { isRead, isOfOperators }: Asked): string {
  const name = (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '');
  const who = isOfOperators && [403, 404].includes(status) ? 'OfOperators' : '';
  return name + who + (isRead && status === 400 ? 'OfReads' : '');
}

function render(status: number, errors: readonly ApiError[]): Response {
  const codes = [...new Set(errors.map((error) => STATUS[error.status].code))];
  const headers: AnswerHeader[] = ['x-request-id'];
  if (errors.some(mayRetry)) headers.push('Retry-After');
  const schema = describeError(
    codes.sort((a, b) => a - b),
    listReasons(errors),
  );
  return {
    description: describe(status, errors),
    headers: Object.fromEntries(
      headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: { 'application/json': { schema, example: exemplifyRefusal(errors, mayRetry) } },
  };
}

function mayRetry({ status, reason }: ApiError): boolean {
  const isPassing = status === 'UNAVAILABLE' || status === 'RESOURCE_EXHAUSTED';
  return isPassing || reason === 'CONCURRENT_CHANGE';
}

function listReasons(errors: readonly ApiError[]): string[] {
  return [...new Set(errors.map(({ reason }) => reason))].sort();
}

/** The reasons with what each of them means, where our table of rejections says it. */
function describe(status: number, errors: readonly ApiError[]): string {
  const meanings = new Map(errors.map(({ reason, message }) => [reason, message]));
  const lines = listReasons(errors).map((reason) => {
    const meaning = meanings.get(reason) ?? '';
    return meaning === '' || status === 404 ? `- \`${reason}\`` : `- \`${reason}\`: ${meaning}`;
  });
  const outcome =
    status < 500
      ? 'Refused; nothing was changed.'
      : 'Not answered. A change may have happened: the same request with the same `Idempotency-Key` is safe.';
  return [outcome, '', ...lines].join('\n');
}
