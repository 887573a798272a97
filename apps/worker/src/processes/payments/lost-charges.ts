import { Inject, Injectable } from '@nestjs/common';
import { fromMilliseconds } from '#domain/calendar';
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
import { Fault, forEachConcurrently, type Log, sleepUntilTick, warnSeldom } from '#platform';
import type { Lease, ReadModels } from '#projection-engine';
import { payments } from '#projections';
import { inFlightMember, PROCESS } from '#checkpoint-backup';
import { InFlightSet } from '../../feed/in-flight-set.js';
import {
  LOST_CHARGE_AFTER_MS,
  LOST_CHARGE_CHECK_EVERY_MS,
  LOST_CHARGES_AT_ONCE,
  READS_AT_ONCE,
} from '../../limits.js';
import { COMMANDS, EVENT_STORE, LEASE, LOG, READ_MODELS } from '../../tokens.js';

/** The next sweep asks the gateway. */
const OVERDUE = 0;

/**
 * Begins again the charges of payments that have no outcome, and that are in flight no more: whatever has
 * lost them, money is not forgotten (rules/payments 4). The gateway is asked with the same key, so that a
 * charge that was made is found and not made again.
 */
@Injectable()
export class LostCharges {
  #offset = 0;

  constructor(
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'ask'>,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'load'>,
    private readonly inFlight: InFlightSet,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (await sleepUntilTick(LOST_CHARGE_CHECK_EVERY_MS, signal)) {
      await this.look(Date.now()).catch((error: unknown) => {
        warnSeldom(this.log, error, 'charges that were lost could not be looked for');
      });
    }
  }

  /**
   * Looks at the next payments without an outcome, and at the oldest again behind the last.
   *
   * @param nowMs by the wall clock. @throws Fault of the store or of Redis; Fenced.
   */
  async look(nowMs: number): Promise<void> {
    const until = fromMilliseconds(nowMs - LOST_CHARGE_AFTER_MS);
    const { partition } = this.lease;
    const page = { partition, until, limit: LOST_CHARGES_AT_ONCE, offset: this.#offset };
    const found = await this.readModels.ask(payments).pending(page);
    // Moved on at once: what fails in this page must not starve the next one.
    this.#offset = found.length < LOST_CHARGES_AT_ONCE ? 0 : this.#offset + found.length;
    await forEachConcurrently(found, READS_AT_ONCE, async ({ member: paymentId }) => {
      await this.#lookAt(paymentId).catch((error: unknown) => {
        // The store or Redis as a whole is away, or this process may not act.
        if (error instanceof Fault && error.retryable) throw error;
        // It is about this payment alone: the others of the page are looked at all the same.
        warnSeldom(this.log, error, `the charge of ${paymentId} could not be looked for`);
      });
    });
  }

  async #lookAt(paymentId: string): Promise<void> {
    const cause = await this.#findCause(paymentId);
    if (cause === undefined) return;
    const member = inFlightMember(cause, PROCESS);
    if (await this.inFlight.has(member)) return;
    // Read after that, and from the store: what ends a charge has stored its outcome before, and the read
    // model may not know it yet.
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
