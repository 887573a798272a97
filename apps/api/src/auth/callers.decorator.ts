import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import { type AnswerHeader, AnswersWith } from '../openapi/answer-headers.js';
import { AuthGuard } from './auth.guard.js';
import type { Caller } from './caller.js';
import { CALLERS } from './callers.key.js';
import { KnownQueryGuard } from './known-query.guard.js';

/** Who may call this route or controller (decisions 2); everybody else is refused. */
export function Callers(...kinds: Caller['kind'][]) {
  const documented = kinds.flatMap((kind) => {
    if (kind === 'player') return [ApiBearerAuth('player')];
    if (kind === 'operator') return [ApiBearerAuth('operator')];
    return [ApiSecurity(kind === 'app' ? 'signature' : 'apiKey')];
  });
  return applyDecorators(
    SetMetadata(CALLERS, kinds),
    UseGuards(AuthGuard, KnownQueryGuard),
    ...documented,
  );
}

const IDEMPOTENCY_KEY = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description: 'The same key and the same body give the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
});

/** Documents the headers of a call that creates something: it is honoured once for a key (decisions 5). */
export function ApiCreationHeaders(...more: AnswerHeader[]) {
  const answer = AnswersWith('x-consistency-token', 'Idempotency-Replayed', ...more);
  return applyDecorators(IDEMPOTENCY_KEY, answer);
}

/** Documents the headers of a call that changes something (decisions 5). */
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
