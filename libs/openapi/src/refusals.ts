import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiError, findRejection, notFound } from '#nest';
import { STATUS } from '#nest/errors';
import type { AnswerHeader } from './answer-headers.js';
import { exemplifyRefusal } from './error-examples.js';
import { describeError } from './error-schema.js';
import { type Reason, REASONS } from './reasons.js';

type Components = NonNullable<OpenAPIObject['components']>;
type Response = NonNullable<Components['responses']>[string];
type Reference = { readonly $ref: string };

/** The reasons of a program beside those that `Refuses` gives its operations (decision 0018). */
export interface ProgramRefusals {
  /** Under `everywhere` the reasons of all operations, and under the name of each group those of its callers. */
  readonly refusals: Readonly<Record<string, readonly string[]>>;
  /** The group of the callers with a credential, by its security scheme. */
  readonly groups: Readonly<Record<string, string>>;
  /** The program's own reasons, which no rejection has. */
  readonly reasons?: Readonly<Record<string, Reason>>;
}

/** The inputs of an operation, as far as its refusals depend on them. */
export interface Asked {
  /** Reasons of this operation alone. */
  readonly refuses: readonly string[];
  readonly isRead: boolean;
  /** Whether its path names an app. */
  readonly isOfApp: boolean;
  /** Names of security schemes. */
  readonly credentials: readonly string[];
}

/** Where an error comes from decides whether a read, which has no body and changes nothing, can get it. */
const OF_CHANGES = [
  'BODY_TOO_LARGE',
  'CONCURRENT_CHANGE',
  'MALFORMED_JSON',
  'SCOPE_NOT_SUFFICIENT',
  'UNSUPPORTED_CONTENT_TYPE',
];
/** Bad fields of any kind: parameters, queries and bodies of all operations have rules. */
const INVALID_FIELDS = new ApiError('INVALID_ARGUMENT', {
  reason: 'INVALID_FIELDS',
  message: REASONS['INVALID_FIELDS']?.message ?? '',
  fieldViolations: [{ field: 'currency', description: 'must be a currency of ISO 4217' }],
});

/** Stands in examples for an absent thing. */
const UNKNOWN = '...';

/** How the operations of a program are refused: every reason that there can be, and no other (decision 0018). */
export class DocumentedRefusals {
  readonly #program: ProgramRefusals;

  constructor(program: ProgramRefusals) {
    this.#program = program;
  }

  /** Those of an operation, by HTTP status. The common refusals of all operations stand in the components. */
  responses(asked: Asked): Record<string, Response | Reference> {
    const common = byStatus(this.#commonErrors(asked));
    const own = this.#listErrors(asked.refuses);
    // Its own reasons come first, and are shown.
    const all = byStatus([...own, ...this.#commonErrors(asked)]);
    const responses = [...all].map(([status, errors]) => {
      const isCommon = listReasons(errors).join() === listReasons(common.get(status) ?? []).join();
      const reference = { $ref: `#/components/responses/${this.#responseName(status, asked)}` };
      return [String(status), isCommon ? reference : render(status, errors)] as const;
    });
    return Object.fromEntries(responses);
  }

  /** The responses that `responses` refers to. */
  common(): Record<string, Response> {
    const groups = Object.keys(this.#program.groups);
    const asked = [true, false].flatMap((isRead) =>
      [...groups.map((scheme) => [scheme]), []].flatMap((credentials) =>
        [true, false].map((isOfApp) => ({ refuses: [], isRead, isOfApp, credentials })),
      ),
    );
    const responses = asked.flatMap((each) =>
      [...byStatus(this.#commonErrors(each))].map(
        ([status, errors]) => [this.#responseName(status, each), render(status, errors)] as const,
      ),
    );
    return Object.fromEntries(responses);
  }

  #commonErrors({ isRead, isOfApp, credentials }: Asked): ApiError[] {
    const groups = this.#groupsOf(credentials);
    const errors = [
      INVALID_FIELDS,
      ...['everywhere', ...groups].flatMap((group) =>
        this.#listErrors(this.#program.refusals[group]),
      ),
    ];
    // A caller for one app has it in scope, or knows of none; all other calls are for all apps.
    const ofOtherPaths = isOfApp ? 'SCOPE_NOT_SUFFICIENT' : 'APP_NOT_FOUND';
    return errors.filter(
      ({ reason }) => reason !== ofOtherPaths && !(isRead && OF_CHANGES.includes(reason)),
    );
  }

  #groupsOf(credentials: readonly string[]): string[] {
    const named = Object.entries(this.#program.groups)
      .filter(([scheme]) => credentials.includes(scheme))
      .map(([, group]) => group);
    return [...new Set(named)];
  }

  #listErrors(reasons: readonly string[] = []): ApiError[] {
    return reasons.map((name) => {
      if (name.endsWith(NOT_FOUND)) return notFound(toWords(name), UNKNOWN);
      const known = this.#program.reasons?.[name] ?? REASONS[name] ?? findRejection(name);
      if (known !== undefined) return new ApiError(known.status, { reason: name, ...known });
      throw new RangeError(`${name} is no reason of this program`);
    });
  }

  /** A response that is the same for all has one name; bodies and a credential's reasons make a difference. */
  #responseName(status: number, asked: Asked): string {
    const { isRead, isOfApp, credentials } = asked;
    const name = (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '');
    const adding = this.#groupsOf(credentials).filter((group) =>
      this.#listErrors(this.#program.refusals[group]).some(({ http }) => http === status),
    );
    const who = adding.map((group) => `Of${group.charAt(0).toUpperCase()}${group.slice(1)}`);
    const reasons = (each: Asked) =>
      listReasons(byStatus(this.#commonErrors(each)).get(status) ?? []).join();
    const differs = (other: Asked) => reasons(asked) !== reasons(other);
    const ofReads = isRead && differs({ ...asked, isRead: false }) ? 'OfReads' : '';
    const ofNoApp = !isOfApp && differs({ ...asked, isOfApp: true }) ? 'OfNoApp' : '';
    return name + who.join('') + ofReads + ofNoApp;
  }
}

const NOT_FOUND = '_NOT_FOUND';

/** The object that a reason misses: `CHECKOUT_LINK_NOT_FOUND` is of a checkout link. */
function toWords(reason: string): string {
  return reason.slice(0, -NOT_FOUND.length).toLowerCase().replaceAll('_', ' ');
}

function byStatus(errors: readonly ApiError[]): Map<number, ApiError[]> {
  const statuses = [...new Set(errors.map(({ http }) => http))].sort((a, b) => a - b);
  return new Map(statuses.map((status) => [status, errors.filter(({ http }) => http === status)]));
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

/** The reasons with their meanings, where our table of rejections says them. */
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
