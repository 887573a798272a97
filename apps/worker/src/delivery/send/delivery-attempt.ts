import { Inject, Injectable } from '@nestjs/common';
import type { EgressConnections, TargetRules } from '#egress';
import { type Clock, createSeal } from '#platform';
import { type AppDirectory, createAppSecrets, type RunningEndpoint } from '#tenancy';
import { webhookHeaders } from '#webhooks';
import type { WorkerConfig } from '../../config.js';
import { attemptSeconds } from '../../metrics.js';
import { APPS, CLOCK, CONFIG, EGRESS } from '../../tokens.js';
import type { OutgoingMessage } from './message-planner.js';
import { EndpointLimiter } from '../limit/endpoint-limiter.js';
import { type Answer, DeliveryFailed, send } from './send.js';

/** A message with its body as the receiver gets it. */
export interface MessageToSend {
  readonly message: Pick<OutgoingMessage, 'id' | 'sequence'>;
  readonly body: string;
}

/** One attempt to deliver: signed with the endpoint's secrets of now, and sent. */
@Injectable()
export class DeliveryAttempt {
  readonly #secrets;
  readonly #allowInsecureTests;
  /** The judgment of a target is remembered by them. */
  readonly #strict: TargetRules;
  readonly #lax: TargetRules;

  constructor(
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'find'>,
    @Inject(CONFIG) { masterKeys, allowInsecureTargets, webhookPorts }: AttemptConfig,
    @Inject(EGRESS) private readonly connections: EgressConnections,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(EndpointLimiter) private readonly limiter: Pick<EndpointLimiter, 'isFailing'>,
  ) {
    this.#secrets = createAppSecrets(createSeal(masterKeys));
    this.#allowInsecureTests = allowInsecureTargets === 'test-apps';
    this.#strict = { allowInsecure: false, ports: webhookPorts };
    this.#lax = { allowInsecure: true, ports: webhookPorts };
  }

  /**
   * @param retryCount how often it was tried before.
   * @throws DeliveryFailed. @throws Fault where our side failed: that is no attempt.
   */
  async make(
    { message, body }: MessageToSend,
    { endpointId, appId, url, accept, secrets: sealed }: RunningEndpoint,
    retryCount: number,
    signal: AbortSignal,
  ): Promise<Answer> {
    const allowInsecure =
      this.#allowInsecureTests && (await this.apps.find(appId))?.environment === 'test';
    const { connections, clock } = this;
    const { id: messageId, sequence } = message;
    const now = clock.now();
    const timestampSeconds = Math.floor(Date.parse(now) / 1000);
    const secrets = this.#secrets.webhookSecrets({ appId, secrets: sealed }, now);
    const signed = { messageId, sequence, body, retryCount, timestampSeconds, secrets };
    const headers = webhookHeaders(signed);
    const rules = allowInsecure ? this.#lax : this.#strict;
    const endpointClass = this.limiter.isFailing(endpointId) ? 'failing' : 'healthy';
    const timed = { class: endpointClass, startedAtMs: performance.now() } as const;
    try {
      const sent = { endpointId, url, accept, rules, connections, headers, body, clock, signal };
      const answer = await send(sent);
      observe(timed, 'delivered');
      return answer;
    } catch (error) {
      if (error instanceof DeliveryFailed) observe(timed, 'failed');
      throw error;
    }
  }
}

type AttemptConfig = Pick<WorkerConfig, 'masterKeys' | 'allowInsecureTargets' | 'webhookPorts'>;

/** An attempt that is timed, and the class in which its endpoint was when it began. */
interface Timed {
  readonly class: 'healthy' | 'failing';
  readonly startedAtMs: number;
}

function observe({ class: ofEndpoint, startedAtMs }: Timed, outcome: 'delivered' | 'failed'): void {
  const seconds = (performance.now() - startedAtMs) / 1_000;
  attemptSeconds.observe({ class: ofEndpoint, outcome }, seconds);
}
