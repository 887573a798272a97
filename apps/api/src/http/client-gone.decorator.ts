import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Hands a controller a signal that is aborted when the answer has ended, also where its client went away. */
export const ClientGone = createParamDecorator(
  (_options: unknown, context: ExecutionContext): AbortSignal => {
    const gone = new AbortController();
    const { raw } = context.switchToHttp().getResponse<FastifyReply>();
    raw.once('close', () => gone.abort());
    return gone.signal;
  },
);
