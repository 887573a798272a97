import { Inject, Injectable } from '@nestjs/common';
import { PLAYER_ERASED, shortenReason } from '#worker-state';
import type { Instant } from '#domain/event';
import { type Clock, isRetryableFault } from '#platform';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { isSealNotice } from '#webhooks';
import { deliveries } from '../../metrics.js';
import { APPS, CLOCK } from '../../tokens.js';
import type { AttemptMade } from './delivery-log-writer.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import type { FailedAttempt } from '../limit/endpoint-health.js';
import { EndpointLimiter } from '../limit/endpoint-limiter.js';
import type { OutgoingMessage } from './message-planner.js';
import { type Delivery, OutgoingMessages, Unplannable } from './outgoing-messages.js';
import { DeliveryFailed } from './send.js';

/** The outcome of an attempt. */
export type DeliveryOutcome =
  | {
      readonly kind: 'ended';
      /** Undefined where nothing was sent, since the endpoint is gone, or may not witness the ledger any more. */
      readonly attempt?: AttemptMade;
    }
  /** It ends unsent, and is named with the reason from then on (rules/webhooks 8). */
  | {
      readonly kind: 'givenUp';
      readonly reason: string;
      readonly type: string;
      readonly attempt: AttemptMade;
    }
  | (FailedAttempt & {
      readonly kind: 'failed';
      /** Empty where the message could not be made. */
      readonly type: string;
      /** Undefined where even the message could not be made. */
      readonly attempt: AttemptMade | undefined;
    })
  /** Its endpoint is disabled: it waits until that is enabled. */
  | { readonly kind: 'held' }
  /** Its endpoint may not be tried now: no attempt is used up, and the limiter says when it may. */
  | { readonly kind: 'rateLimited' }
  /** This release cannot make it: another one may. */
  | { readonly kind: 'unplannable'; readonly error: Unplannable }
  /** That was no failure of the receiver's: it goes back as it was. */
  | { readonly kind: 'requeued' };

type Unmade = Omit<DeliveryFailed['details'], 'code'> & { readonly code: string };
const NOT_MADE: Unmade = { code: 'not_made', durationMs: 0 };

interface Begun {
  readonly message: OutgoingMessage;
  readonly startedAt: Instant;
  readonly url: string;
}

/** One attempt to deliver, from the look at its endpoint to the answer. */
@Injectable()
export class DeliveryAct {
  constructor(
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'find' | 'findEndpoint'>,
    private readonly messages: OutgoingMessages,
    private readonly attempt: DeliveryAttempt,
    @Inject(EndpointLimiter) private readonly limiter: Pick<EndpointLimiter, 'admit'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Never throws. */
  async perform(
    { delivery, attempts }: { readonly delivery: Delivery; readonly attempts: number },
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    let endpoint: RunningEndpoint | undefined;
    let begun: Begun | undefined;
    try {
      // Another worker may have learnt of the endpoint first: only the store knows that it is gone.
      endpoint = await this.apps.findEndpoint(delivery.target);
      if (endpoint === undefined) {
        deliveries.inc({ outcome: 'endpoint_deleted' });
        return { kind: 'ended' };
      }
      if (endpoint.state === 'disabled') return { kind: 'held' };
      const admitted = this.limiter.admit(endpoint);
      if (admitted !== true && !(await admitted)) return { kind: 'rateLimited' };
      const message = await this.messages.find(delivery);
      if (await this.#isWithdrawn(message, endpoint)) {
        deliveries.inc({ outcome: 'withdrawn' });
        return { kind: 'ended' };
      }
      begun = { message, startedAt: this.clock.now(), url: endpoint.url };
      const body = await message.open();
      if (body === undefined) return endUnsent(begun);
      const answer = await this.attempt.make({ message, body }, endpoint, attempts, signal);
      deliveries.inc({ outcome: 'delivered' });
      const { durationMs } = answer;
      return { kind: 'ended', attempt: { ...begun, durationMs, answer, error: null } };
    } catch (error) {
      // A stop, or a store that is away, is no failure of the receiver's: endpoints and apps are read when they are first
      // asked for (rules/events 11).
      if (signal.aborted || isRetryableFault(error)) return { kind: 'requeued' };
      // A resend is of another partition's stream, which is parked there: its attempts are used up.
      const isResend = delivery.askedAtRevision !== undefined;
      if (error instanceof Unplannable && !isResend) return { kind: 'unplannable', error };
      deliveries.inc({ outcome: 'failed' });
      return { kind: 'failed', endpoint, ...describeFailure(error, begun) };
    }
  }

  /** An app that may not witness the ledger any more is sent no checkpoint that waited (rules/evidence 10). */
  async #isWithdrawn({ event }: OutgoingMessage, { appId }: RunningEndpoint): Promise<boolean> {
    if (!isSealNotice(event)) return false;
    return (await this.apps.find(appId))?.sealWitness !== true;
  }
}

function endUnsent(begun: Begun): DeliveryOutcome {
  deliveries.inc({ outcome: 'erased' });
  const error = { code: 'erased', text: PLAYER_ERASED };
  const attempt = { ...begun, durationMs: 0, answer: undefined, error };
  return { kind: 'givenUp', reason: PLAYER_ERASED, type: begun.message.type, attempt };
}

/** An error that is no answer and no failure on the way sent nothing: some text of the message did not open. */
function describeFailure(error: unknown, begun: Begun | undefined) {
  const text = shortenReason(error instanceof Error ? error.message : String(error));
  const isSent = error instanceof DeliveryFailed;
  const {
    isGone = false,
    retryAfterMs = 0,
    durationMs,
    answer,
    code,
  } = isSent ? error.details : NOT_MADE;
  const attempt = begun && { ...begun, durationMs, answer, error: { code, text } };
  const tookMs = isSent ? durationMs : undefined;
  return { reason: text, type: begun?.message.type ?? '', isGone, retryAfterMs, tookMs, attempt };
}
