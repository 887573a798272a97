import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createEgressAgent } from '#egress';
import { createSeal } from '#platform';
import { type AppDirectory, createAppSecrets, type RunningEndpoint } from '#tenancy';
import { webhookHeaders } from '#webhooks';
import type { WorkerConfig } from '../config.js';
import { attemptSeconds } from '../metrics.js';
import { APPS, CONFIG } from '../tokens.js';
import type { QueuedMessage } from './queued-message.js';
import { send } from './send.js';

/** A message with its body as the receiver gets it. */
export interface OpenedMessage {
  readonly message: QueuedMessage;
  readonly body: string;
}

/** One attempt to deliver: signed with the endpoint's secret of now, and sent. */
@Injectable()
export class DeliveryAttempt implements OnApplicationShutdown {
  /** Sockets to addresses that only test apps may reach are not used for others. */
  readonly #strict = createEgressAgent({ allowInsecure: false });
  readonly #lax = createEgressAgent({ allowInsecure: true });
  readonly #secrets;
  readonly #allowInsecureTests;

  constructor(
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'find'>,
    @Inject(CONFIG) { masterKeys, allowInsecureTargets }: WorkerConfig,
  ) {
    this.#secrets = createAppSecrets(createSeal(masterKeys));
    this.#allowInsecureTests = allowInsecureTargets === 'test-apps';
  }

  /** @param retryCount how often it was tried before. @throws DeliveryFailed. */
  async make(
    { message, body }: OpenedMessage,
    { appId, url, accept, sealedSecret }: RunningEndpoint,
    retryCount: number,
    signal: AbortSignal,
  ): Promise<void> {
    const app = await this.apps.find(message.appId);
    const allowInsecure = this.#allowInsecureTests && app?.environment === 'test';
    const { messageId, sequence } = message;
    const headers = webhookHeaders({
      messageId,
      sequence,
      body,
      retryCount,
      timestampSeconds: Math.floor(Date.now() / 1000),
      secrets: [this.#secrets.open(appId, 'webhook secret', sealedSecret)],
    });
    const agent = allowInsecure ? this.#lax : this.#strict;
    const stopTimer = attemptSeconds.startTimer();
    try {
      await send({ url, accept, headers, body, rules: { allowInsecure }, agent, signal });
    } finally {
      stopTimer();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.#strict.destroy(), this.#lax.destroy()]);
  }
}
