import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { APP_DIRECTORY, readConsistencyToken } from '#nest';
import type { ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { READ_MODELS } from '../tokens.js';

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
 * Holds a read back until the read models show what its `x-consistency-token` names (rules/api 15).
 */
@Injectable()
class ConsistencyGuard implements CanActivate {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const position = readConsistencyToken(context.switchToHttp().getRequest<FastifyRequest>());
    if (position !== undefined) {
      await this.readModels.waitFor(position, { timeoutMs: CONSISTENCY_LIMIT_MS });
    }
    return true;
  }
}

/** The same for what is answered from this process's own memory of the apps. */
@Injectable()
class DirectoryConsistencyGuard implements CanActivate {
  constructor(@Inject(APP_DIRECTORY) private readonly apps: AppDirectory) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const position = readConsistencyToken(context.switchToHttp().getRequest<FastifyRequest>());
    if (position !== undefined) await this.apps.catchUpTo(position, CONSISTENCY_LIMIT_MS);
    return true;
  }
}

/**
 * Marks a read from the read models: clients can read their own writes. On a class it stands above
 * `@Allow`: decorators apply from the bottom, and a caller who is refused must not wait first.
 */
export function ConsistentRead() {
  return applyDecorators(UseGuards(ConsistencyGuard), TOKEN_HEADER);
}

/** Marks a read of apps, endpoints or test clocks, which this process has in memory. */
export function ConsistentDirectoryRead() {
  return applyDecorators(UseGuards(DirectoryConsistencyGuard), TOKEN_HEADER);
}
