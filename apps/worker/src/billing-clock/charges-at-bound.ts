import { Inject, Injectable } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import { orderAggregate, type OrderEvent } from '#domain/order';
import { subscriptionAggregate, type SubscriptionEvent } from '#domain/subscription';
import type { EventStore } from '#event-store';
import type { PendingCharge } from '#projections';
import { inFlightMember, PROCESS } from '#worker-state';
import { InFlightSet } from '../redis/in-flight-set.js';
import { EVENT_STORE } from '../tokens.js';
import { isOrderId } from './awaited-charges.js';

/** The events by which a subscription or order asks for a charge. */
const REQUESTS: ReadonlySet<string> = new Set<(SubscriptionEvent | OrderEvent)['type']>([
  'subscription.renewal_requested.v1',
  'subscription.change_requested.v1',
  'order.attempted.v1',
]);

/**
 * Has the gateway asked about charges whose time is up: their jobs take the outcome, or give them up
 * (rules/payments 17). A charge that no job knows of any more is begun again.
 */
@Injectable()
export class ChargesAtBound {
  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    private readonly inFlight: InFlightSet,
  ) {}

  /** Harmless when it is done twice. @throws Fault of the store or of Redis; Fenced. */
  async askNow(charge: PendingCharge): Promise<void> {
    const request = await this.#findRequest(charge);
    if (request === undefined) return;
    const member = inFlightMember(request, PROCESS);
    const nowMs = Date.now();
    if (await this.inFlight.has(member)) await this.inFlight.askAgain(member, nowMs);
    else await this.inFlight.beginAgain({ member, dueAtMs: nowMs });
  }

  /** It is among the last events of its subject, which waits for the charge. */
  async #findRequest({ subjectId, paymentId }: PendingCharge): Promise<RecordedEvent | undefined> {
    const { category } = isOrderId(subjectId) ? orderAggregate : subscriptionAggregate;
    const stream = `${category}-${subjectId}`;
    for await (const event of this.store.readStream(stream, { backwards: true })) {
      if (!REQUESTS.has(event.type)) continue;
      if ((event.data as { readonly paymentId: string }).paymentId === paymentId) return event;
    }
    return undefined;
  }
}
