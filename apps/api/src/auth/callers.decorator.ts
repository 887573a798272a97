import { applyDecorators, UseGuards } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import { ApiBearerAuth, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import { type Caller, KnownQueryGuard } from '#nest';
import { type AnswerHeader, AnswersWith } from '../openapi/answer-headers.js';
import { AuthGuard } from './auth.guard.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; everybody, where it is not set. */
    readonly callers?: readonly Caller['kind'][];
  }
}

/** Who may call the routes of this controller (rules/api 10); everybody else is refused. */
export function Callers(...kinds: Caller['kind'][]) {
  const documented = kinds.flatMap((kind) => {
    if (kind === 'player') return [ApiBearerAuth('player')];
    if (kind === 'operator') return [ApiBearerAuth('operator')];
    return [ApiSecurity(kind === 'app' ? 'signature' : 'apiKey')];
  });
  return applyDecorators(tellRoutes(kinds), UseGuards(AuthGuard, KnownQueryGuard), ...documented);
}

/**
 * Fastify judges callers before Nest is reached: each route carries them, beside what it says
 * itself.
 */
function tellRoutes(callers: readonly Caller['kind'][]): ClassDecorator {
  return ({ prototype }) => {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
      const handler: unknown = descriptor?.value;
      if (typeof handler !== 'function' || !Reflect.hasMetadata(PATH_METADATA, handler)) continue;
      const own = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as object | undefined;
      RouteConfig({ ...own, callers })(prototype as object, name, descriptor ?? {});
    }
  };
}

const IDEMPOTENCY_KEY = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description: 'The same key and the same body give the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
});

/**
 * Documents the headers of a call that creates something: it is honoured once for a key
 * (rules/api 13).
 */
export function ApiCreationHeaders(...more: AnswerHeader[]) {
  const answer = AnswersWith('x-consistency-token', 'Idempotency-Replayed', ...more);
  return applyDecorators(IDEMPOTENCY_KEY, answer);
}

/** Documents the headers of a call that changes something (rules/api 13 and 14). */
export function ApiCommandHeaders(...more: AnswerHeader[]) {
  return applyDecorators(
    IDEMPOTENCY_KEY,
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'The ETag that the caller has seen; 412 when the object has changed since.',
    }),
    AnswersWith('ETag', 'x-consistency-token', 'Idempotency-Replayed', ...more),
  );
}
