import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import type { CommandContext } from '#event-store';
import { assertDefect } from '#platform';
import type { AppDirectory, AppSecrets } from '#tenancy';
import { invalidFields, notFound } from '../http/answer/api-error.js';
import { hashAsked, readCommandKey, readIfMatch } from '../http/answer/headers.js';
import { APP_DIRECTORY, COMMAND_HASH_KEYS } from '../tokens.js';
import { nameActor } from './caller.js';
import type { CommandSource } from './command-source.js';

/** The key of each app under which commands are hashed (rules/storage 15). */
export type CommandHashKeys = Pick<AppSecrets, 'commandHashKey'>;

/** Makes the contexts of commands: their app, their caller, their time, their keys. */
@Injectable()
export class CommandContexts {
  constructor(
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(COMMAND_HASH_KEYS) private readonly hashKeys: CommandHashKeys,
  ) {}

  /** @throws ApiError when there is no such app. */
  async requireApp(appId: string): Promise<CreatedApp> {
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
    if ((await this.requireApp(appId)).segments.some(isAsked)) return true;
    return (await this.apps.findFresh(appId))?.segments.some(isAsked) === true;
  }

  /**
   * For the command that creates an app: there is none yet to go by. Its request holds nothing but a name
   * and an environment, so that the hash under no key of an app tells nothing.
   */
  forNewApp(
    source: CommandSource,
    app: Pick<CreatedApp, 'appId' | 'environment' | 'createdAt'>,
  ): CommandContext {
    const { appId, environment, createdAt } = app;
    const actor = source.caller === undefined ? 'app' : nameActor(source.caller);
    const key = readCommandKey(source, () => NO_APPS_KEY);
    return { appId, environment, actor, correlationId: source.id, now: createdAt, ...key };
  }

  /** For an act on the ledger itself, which belongs to no app: its hash tells nothing of a secret. */
  ofNoApp(
    source: CommandSource,
  ): Pick<CommandContext, 'actor' | 'correlationId' | 'commandId' | 'commandHash'> {
    const actor = source.caller === undefined ? 'app' : nameActor(source.caller);
    const key = readCommandKey(source, () => NO_APPS_KEY);
    return { actor, correlationId: source.id, ...key };
  }

  /** For look-ups beside the command of a request: of the same app, caller and time. */
  ofRequest(source: CommandSource): Promise<CommandContext> {
    return this.withoutIdempotency(source, appIdFor(source));
  }

  /** For the one command of a request: with its Idempotency-Key and If-Match (rules/api 13, rules/api 14). */
  async withIdempotency(source: CommandSource, appId: string): Promise<CommandContext> {
    const context = await this.withoutIdempotency(source, appId);
    const app = await this.requireApp(appId);
    const key = readCommandKey(source, () => this.hashKeys.commandHashKey(app));
    const ifMatch = readIfMatch(source);
    return { ...context, ...key, ...(ifMatch !== undefined && { ifMatch }) };
  }

  /**
   * For the one command of a request whose answer shows a secret once (rules/api 13).
   *
   * @throws ApiError 3 for a request with neither a body nor a key: clients send such a request again by
   *   themselves, and each would make another secret.
   */
  async showingSecret(source: CommandSource, appId: string): Promise<CommandContext> {
    requireBodyOrKey(source);
    return this.withIdempotency(source, appId);
  }

  /**
   * For the one command of a form, whose key is in the form.
   *
   * @param asked the request of the form, as text. @throws ApiError when there is no such app.
   */
  async withFormKey(
    source: CommandSource,
    appId: string,
    { commandId, asked }: { readonly commandId: string; readonly asked: string },
  ): Promise<CommandContext> {
    const context = await this.withoutIdempotency(source, appId);
    const hashKey = this.hashKeys.commandHashKey(await this.requireApp(appId));
    return { ...context, commandId, ...hashAsked([asked], hashKey) };
  }

  /** For creations under no key, and for a page's look-ups and acts. */
  async withoutIdempotency(source: CommandSource, appId: string): Promise<CommandContext> {
    const app = await this.requireApp(appId);
    const { caller } = source;
    return {
      appId,
      environment: app.environment,
      actor: caller === undefined ? 'checkout' : nameActor(caller),
      correlationId: source.id,
      now: await this.apps.now(app),
      ...(caller?.kind === 'player' && { player: caller.player }),
    };
  }
}

/** In the place of an app's key, where no app exists yet. */
const NO_APPS_KEY = Buffer.alloc(32);

function requireBodyOrKey({ headers, rawBody }: CommandSource): void {
  if (headers['idempotency-key'] !== undefined || (rawBody?.length ?? 0) > 0) return;
  const description =
    'is required without a body, since clients send such requests again by themselves';
  throw invalidFields([{ field: 'Idempotency-Key', description }]);
}

/** The caller's own app or, for operators, the one in the path. */
export function appIdFor({ caller, params }: CommandSource): string {
  if (caller !== undefined && caller.kind !== 'operator') return caller.appId;
  const { appId } = params as { readonly appId?: string };
  assertDefect(appId !== undefined, 'a command of an operator whose path names no app');
  return appId;
}
