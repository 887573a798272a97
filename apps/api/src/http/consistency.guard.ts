import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { readBucket, readPlayerBucket } from '#domain/ids';
import { APP_DIRECTORY, readConsistencyToken } from '#nest';
import type { ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { Players } from '../commands/players.js';
import { READ_MODELS } from '../tokens.js';
import { planWait } from './consistent-wait.js';

/**
 * How long a read waits for the read models to show a write; then 503, and the client asks again.
 */
const CONSISTENCY_LIMIT_MS = 5000;

const TOKEN_HEADER = ApiHeader({
  name: 'x-consistency-token',
  required: false,
  description: 'The token of an earlier answer: this read waits until it shows that write.',
});

/**
 * What a read looks at: what is an app's alone, what has the id in the path and all that follows from
 * it, or the lists of a player or, where none is asked for, of all players of an app.
 */
type ReadScope = 'app' | 'id' | 'player';

const SCOPE = Reflector.createDecorator<ReadScope>();

/**
 * Holds a read back until the partitions that it looks at show what its `x-consistency-token` names
 * (rules/api 15). What was written in a partition that it does not look at, it cannot show.
 */
@Injectable()
class ConsistencyGuard implements CanActivate {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly reflector: Reflector,
    private readonly players: Players,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = readConsistencyToken(request);
    if (token === undefined) return true;
    const scope = this.reflector.get(SCOPE, context.getHandler());
    const read = await this.findBucket(scope, request);
    const partitions = planWait(this.readModels.partitions, token, read);
    if (partitions.length > 0) {
      const limit = { timeoutMs: CONSISTENCY_LIMIT_MS, partitions };
      await this.readModels.waitFor(token.position, limit);
    }
    return true;
  }

  /** The bucket of all that the request looks at; undefined for any. */
  private async findBucket(
    scope: ReadScope,
    { caller, params, query }: FastifyRequest,
  ): Promise<string | undefined> {
    const named = params as { readonly id?: string; readonly appId?: string };
    if (scope === 'id') return readBucket(named.id ?? '');
    const appId = caller?.kind === 'operator' ? named.appId : caller?.appId;
    if (scope === 'app') return readBucket(appId ?? '');
    if (caller?.kind === 'player') return readPlayerBucket(caller.player);
    const { externalAccountId } = query as { readonly externalAccountId?: unknown };
    if (typeof externalAccountId !== 'string' || appId === undefined) return undefined;
    return readPlayerBucket(await this.players.find(appId, externalAccountId));
  }
}

/** The same for what is answered from this process's own memory of the apps. */
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
