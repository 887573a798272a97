import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CreatedApp } from '#domain/app';
import type { CommandContext } from '#event-store';
import type { AppDirectory } from '#tenancy';
import { actorOf } from '../auth/caller.js';
import { notFound } from '../http/api-error.js';
import { commandKeyOf, ifMatchOf } from '../http/headers.js';
import { APP_DIRECTORY } from '../tokens.js';

/** What surrounds the commands of one request: its app, its caller, its time, its keys. */
@Injectable()
export class CommandContexts {
  constructor(@Inject(APP_DIRECTORY) private readonly apps: AppDirectory) {}

  /** @throws ApiError when there is no such app. */
  async appOf(appId: string): Promise<CreatedApp> {
    const app = await this.apps.find(appId);
    if (app === undefined) throw notFound('app', appId);
    return app;
  }

  /**
   * Whether the app has a segment; one that memory does not know may have been added by another
   * process just now. @throws ApiError when there is no such app.
   */
  async hasSegment(appId: string, segmentId: string): Promise<boolean> {
    const isAsked = (segment: { segmentId: string }) => segment.segmentId === segmentId;
    if ((await this.appOf(appId)).segments.some(isAsked)) return true;
    return (await this.apps.findFresh(appId))?.segments.some(isAsked) === true;
  }

  /** For the one command of a request: with its Idempotency-Key and If-Match (decisions 5). */
  async withIdempotency(request: FastifyRequest, appId: string): Promise<CommandContext> {
    const key = commandKeyOf(request);
    const ifMatch = ifMatchOf(request);
    return {
      ...(await this.withoutIdempotency(request, appId)),
      ...key,
      ...(ifMatch !== undefined && { ifMatch }),
    };
  }

  /** For commands that are idempotent by what they say, or that show a secret once. */
  async withoutIdempotency(request: FastifyRequest, appId: string): Promise<CommandContext> {
    const app = await this.appOf(appId);
    const { caller } = request;
    return {
      appId,
      environment: app.environment,
      actor: caller === undefined ? 'checkout' : actorOf(caller),
      correlationId: request.id,
      now: this.apps.now(app),
      ...(caller?.kind === 'player' && { externalAccountId: caller.externalAccountId }),
    };
  }
}
