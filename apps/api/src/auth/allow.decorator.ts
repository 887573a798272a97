import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import { type Caller, KnownQueryGuard } from '#nest';
import { type AnswerHeader, AnswersWith } from '#openapi';
import { configureRoutes } from './configure-routes.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether everybody may call the route. */
    readonly isPublic?: boolean;
  }
}

/**
 * Opens the routes of this controller to callers without credentials. It is the exception, so each
 * such controller declares it.
 */
export const Public = (): ClassDecorator => configureRoutes({ isPublic: true });

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The callers that the route allows; the guard refuses all others. */
    readonly callers?: readonly Caller['kind'][];
  }
}

/** The callers that the routes of this controller allow (rules/api 10); all others are refused. */
export function Allow(...kinds: Caller['kind'][]): ClassDecorator {
  const documented = kinds.flatMap((kind) => {
    if (kind === 'player') return [ApiBearerAuth('player')];
    if (kind === 'operator') return [ApiBearerAuth('operator')];
    return [ApiSecurity(kind === 'app' ? 'signature' : 'apiKey')];
  });
  return applyDecorators(
    configureRoutes({ callers: kinds }),
    UseGuards(KnownQueryGuard),
    ...documented,
    ...(kinds.includes('player') ? [APP_ID] : []),
  );
}

const APP_ID = ApiHeader({
  name: 'x-app-id',
  required: false,
  description:
    'The app of a player whose token is of its issuer and does not name it by the claim `app`.',
});

const IDEMPOTENCY_KEY = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description: 'The same key and the same body give the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
});

const IF_MATCH = ApiHeader({
  name: 'If-Match',
  required: false,
  description: 'The ETag that the caller has seen; 412 when the object has changed since.',
});

/** Documents the headers of a call that creates something: it is honoured once for a key (rules/api 13). */
export function ApiCreationHeaders(...more: AnswerHeader[]) {
  const answer = AnswersWith('x-consistency-token', 'Idempotency-Replayed', ...more);
  return applyDecorators(IDEMPOTENCY_KEY, answer);
}

/** Documents the headers of a call that changes something (rules/api 13, rules/api 14). */
export function ApiCommandHeaders(...more: AnswerHeader[]) {
  return applyDecorators(
    IDEMPOTENCY_KEY,
    IF_MATCH,
    AnswersWith('ETag', 'x-consistency-token', 'Idempotency-Replayed', ...more),
  );
}

/** Documents the headers of an act on the ledger itself, which no read of an app waits for. */
export function ApiActHeaders() {
  return IDEMPOTENCY_KEY;
}

const SECRETS_KEY = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description:
    'A second use of the key makes nothing and is 409 SECRET_SHOWN_ALREADY. A request without a body needs a key.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
});

/** Documents the headers of a call that shows the secret of a new object once (rules/api 13). */
export function ApiSecretCreationHeaders() {
  return applyDecorators(SECRETS_KEY, AnswersWith('ETag', 'x-consistency-token'));
}

/** Documents the headers of a call that shows the new secret of an object once (rules/api 13, rules/api 14). */
export function ApiSecretRotationHeaders() {
  return applyDecorators(SECRETS_KEY, IF_MATCH, AnswersWith('ETag', 'x-consistency-token'));
}
