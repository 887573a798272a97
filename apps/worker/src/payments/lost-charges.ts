import { Inject, Injectable } from '@nestjs/common';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { RecordedEvent } from '#domain/event';
import { orderAggregate } from '#domain/order';
import {
  type ChargeRequest,
  findSubscriptionId,
  paymentAggregate,
  startsSubscription,
} from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor, EventStore } from '#event-store';
import type { Log } from '#platform';
import { inFlightMember, PROCESS } from '#worker-state';
import { InFlightSet } from '../redis/in-flight-set.js';
import { COMMANDS, EVENT_STORE, LOG } from '../tokens.js';
import { LostSweep, OpenPayments, OVERDUE } from './lost-sweep.js';

/**
 * Begins again the charges of payments that have no outcome, and that are in flight no more: whatever has
 * lost them, money is not forgotten (rules/payments 4). The gateway is asked with the same key, so that a
 * charge that was made is found and not made again.
 */
@Injectable()
export class LostCharges extends LostSweep {
  constructor(
    open: OpenPayments,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'load'>,
    private readonly inFlight: InFlightSet,
    @Inject(LOG) log: Log,
  ) {
    super(open, 'pending', 'charges', log);
  }

  protected override async lookAt(paymentId: string): Promise<void> {
    const cause = await this.#findCause(paymentId);
    if (cause === undefined) return;
    const member = inFlightMember(cause, PROCESS);
    if (await this.inFlight.has(member)) return;
    // Read after that, and from the store: a charge that ended has stored its outcome before, and the read model may
    // not know it yet.
    const { state } = await this.commands.load(paymentAggregate, paymentId);
    if (state.status !== 'PENDING') return;
    await this.inFlight.beginAgain({ member, dueAtMs: OVERDUE });
    this.log.error(
      { paymentId },
      'a payment without an outcome was in flight no more: it is asked again',
    );
  }

  /** The event that asked for the charge: it names the charge in the work in flight. */
  async #findCause(paymentId: string): Promise<RecordedEvent | undefined> {
    const first = { fromRevision: 0, maxCount: 1 };
    for await (const event of this.store.readStream(
      `${paymentAggregate.category}-${paymentId}`,
      first,
    )) {
      // A payment's stream begins with its request.
      const { purpose, checkoutLinkId } = event.data as ChargeRequest;
      return this.#findEvent(asker(purpose, checkoutLinkId), event.metadata.$causationId);
    }
    return undefined;
  }

  async #findEvent(stream: string, id: string | undefined): Promise<RecordedEvent | undefined> {
    for await (const event of this.store.readStream(stream, { backwards: true })) {
      if (event.id === id) return event;
    }
    return undefined;
  }
}

/** The stream of the event that asked for a charge. */
function asker(purpose: ChargeRequest['purpose'], checkoutLinkId: string): string {
  if (purpose.kind === 'order') return `${orderAggregate.category}-${purpose.orderId}`;
  return startsSubscription(purpose)
    ? `${checkoutLinkAggregate.category}-${checkoutLinkId}`
    : `${subscriptionAggregate.category}-${findSubscriptionId(purpose)}`;
}
