import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CommandContext as Context } from '#event-store';
import { appIdFor, CommandContexts } from './command-contexts.js';
import type { CommandSource } from './command-source.js';

@Injectable()
class ContextWithIdempotency implements PipeTransform<CommandSource, Promise<Context>> {
  constructor(private readonly contexts: CommandContexts) {}

  transform(source: CommandSource): Promise<Context> {
    return this.contexts.withIdempotency(source, appIdFor(source));
  }
}

@Injectable()
class ContextShowingSecret implements PipeTransform<CommandSource, Promise<Context>> {
  constructor(private readonly contexts: CommandContexts) {}

  transform(source: CommandSource): Promise<Context> {
    return this.contexts.showingSecret(source, appIdFor(source));
  }
}

const decorate = createParamDecorator(
  (_options: unknown, context: ExecutionContext): CommandSource =>
    context.switchToHttp().getRequest<FastifyRequest>(),
);

/**
 * Hands a controller the context of the request's one command: with its `Idempotency-Key` and `If-Match`.
 * The app is the caller's own or, for operators, the one in the path.
 */
export function CommandContext(): ParameterDecorator {
  return decorate(ContextWithIdempotency);
}

/** The same for a command whose answer shows a secret once: its request has a body or a key (rules/api 13). */
export function CommandContextShowingSecret(): ParameterDecorator {
  return decorate(ContextShowingSecret);
}

export type CommandContext = Context;
