import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { requireAppCaller, readConsistencyToken } from '#nest';

/** A request to convert prices. Its body is bytes: equal bytes are equal requests, parsed only once. */
export interface ConversionSource {
  readonly appId: string;
  readonly bytes: Buffer;
  /** Whether the caller has to see its own write: it sent a consistency token (rules/api 15). */
  readonly isConsistent: boolean;
  /** Names of query parameters, none of which a conversion has. */
  readonly parameters: readonly string[];
}

/** A request without a body at all. */
const NOTHING = Buffer.alloc(0);

/** Hands the controller all of a conversion in one parameter: each one costs a turn through the pipes. */
export const ConversionSource = createParamDecorator(
  (_options: unknown, context: ExecutionContext): ConversionSource => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return {
      appId: requireAppCaller(request).appId,
      bytes: request.rawBody ?? NOTHING,
      isConsistent: readConsistencyToken(request) !== undefined,
      parameters: Object.keys(request.query as object),
    };
  },
);
