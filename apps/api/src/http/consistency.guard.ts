import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { EventStore } from '#event-store';
import { APP_DIRECTORY, type ConsistencyToken, EVENT_STORE, readConsistencyToken } from '#nest';
import type { ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { Players } from '../commands/player-links.js';
import { READ_MODELS } from '../tokens.js';
import { findReadBucket, planWait, type ReadScope, waitUntilShown } from './consistent-wait.js';

/** How long a read waits for a write and its consequences to be shown; then 503, and the client asks again. */
const CONSISTENCY_LIMIT_MS = 5000;

declare module 'fastify' {
  interface FastifyRequest {
    /** When a read with a token is answered at the latest, by `performance.now()`. */
    consistentBy?: number;
  }
}

const TOKEN_HEADER = ApiHeader({
  name: 'x-consistency-token',
  required: false,
  description: 'The token of an earlier answer: this read waits until it shows that write.',
});

const SCOPE = Reflector.createDecorator<ReadScope>();

/**
 * Holds a read back until the partitions that it looks at show the position in its `x-consistency-token` (rules/api
 * 15). A write in a partition that it does not look at does not concern it.
 */
@Injectable()
class ConsistencyGuard implements CanActivate {
  constructor(
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    @Inject(EVENT_STORE) readonly store: EventStore,
    private readonly reflector: Reflector,
    private readonly players: Players,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = readConsistencyToken(request);
    return token === undefined || this.#wait(context, request, token);
  }

  async #wait(
    context: ExecutionContext,
    request: FastifyRequest,
    token: ConsistencyToken,
  ): Promise<boolean> {
    const scope = this.reflector.get(SCOPE, context.getHandler());
    const findPlayer = (appId: string, id: string) => this.players.find(appId, id);
    const partitions = planWait(
      this.readModels.partitions,
      token,
      await findReadBucket(scope, request, findPlayer),
    );
    if (partitions.length > 0) {
      request.consistentBy = performance.now() + CONSISTENCY_LIMIT_MS;
      const limit = { timeoutMs: CONSISTENCY_LIMIT_MS, partitions };
      await waitUntilShown(this, token.position, limit);
    }
    return true;
  }
}

/** The same for reads from this process's own memory of the apps. */
@Injectable()
class DirectoryConsistencyGuard implements CanActivate {
  constructor(@Inject(APP_DIRECTORY) private readonly apps: AppDirectory) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const token = readConsistencyToken(context.switchToHttp().getRequest<FastifyRequest>());
    if (token !== undefined) await this.apps.catchUpTo(token.position, CONSISTENCY_LIMIT_MS);
    return true;
  }
}

/** Marks a read from the read models: clients can read their own writes. */
export function ConsistentRead(scope: ReadScope) {
  return applyDecorators(SCOPE(scope), UseGuards(ConsistencyGuard), TOKEN_HEADER);
}

/** Marks a read of apps, endpoints or test clocks, which this process has in memory. */
export function ConsistentDirectoryRead() {
  return applyDecorators(UseGuards(DirectoryConsistencyGuard), TOKEN_HEADER);
}

/**
 * Until when a read may wait for the consequences of the token's write; undefined without a token that it waits for.
 */
export const ConsistentBy = createParamDecorator(
  (_options: unknown, context: ExecutionContext): number | undefined =>
    context.switchToHttp().getRequest<FastifyRequest>().consistentBy,
);
