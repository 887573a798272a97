import { Inject, Injectable } from '@nestjs/common';
import { inFlightMember, PROCESS } from '#worker-state';
import type { Instant, RecordedEvent } from '#domain/event';
import { findOpenRefund, paymentAggregate, type PaymentRefundRequested } from '#domain/payment';
import type { CommandExecutor, EventStore } from '#event-store';
import type { Log } from '#platform';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { InFlightSet } from '../redis/in-flight-set.js';
import { COMMANDS, EVENT_STORE, LOG } from '../tokens.js';
import { LostSweep, OpenPayments, OVERDUE } from './lost-sweep.js';

const REQUESTED: PaymentRefundRequested['type'] = 'payment.refund_requested.v1';
interface AskedRefund {
  readonly refundId: string;
  /** As it is named in the work in flight. */
  readonly member: string;
}

/**
 * Begins again the refunds that have no outcome, and that are in flight no more (rules/payments 4). The gateway is
 * asked with the same key and for the amount that was kept when the refund was asked for: one that was made is found and
 * not made again.
 */
@Injectable()
export class LostRefunds extends LostSweep {
  constructor(
    open: OpenPayments,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'load'>,
    private readonly inFlight: InFlightSet,
    private readonly checkpoint: FeedCheckpoint,
    @Inject(LOG) log: Log,
  ) {
    super(open, 'refunding', 'refunds', log);
  }

  protected override async lookAt(paymentId: string, until: Instant): Promise<void> {
    const gone: AskedRefund[] = [];
    for (const asked of await this.#listAsked(paymentId, until)) {
      if (!(await this.inFlight.has(asked.member))) gone.push(asked);
    }
    if (gone.length === 0) return;
    // Read after that, and from the store: a refund that ended has stored its outcome before.
    const { state } = await this.commands.load(paymentAggregate, paymentId);
    if (state.status === 'none') return;
    for (const { refundId, member } of gone) {
      if (findOpenRefund(state, refundId) === undefined) continue;
      await this.inFlight.beginAgain({ member, dueAtMs: OVERDUE });
      const message = 'a refund without an outcome was in flight no more: it is asked again';
      this.log.error({ paymentId, refundId }, message);
    }
  }

  /** The refunds that were asked for by then, and have come to this worker. */
  async #listAsked(paymentId: string, until: Instant): Promise<AskedRefund[]> {
    const asked: AskedRefund[] = [];
    for await (const event of this.store.readStream(`${paymentAggregate.category}-${paymentId}`)) {
      if (event.type !== REQUESTED || event.position > this.checkpoint.position) continue;
      const { refundId, requestedAt } = (event as RecordedEvent & PaymentRefundRequested).data;
      if (requestedAt > until) continue;
      asked.push({ refundId, member: inFlightMember(event, PROCESS) });
    }
    return asked;
  }
}
