import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { findSubscriptionId, type RequestedPayment } from '#domain/payment';
import { canEndByDispute, subscriptionAggregate } from '#domain/subscription';
import { APP_DIRECTORY, Ledger, lookUntil, STOPPING } from '#nest';
import type { AppDirectory } from '#tenancy';

/** A worker ends the subscription within milliseconds. */
const ANSWER_LIMIT_MS = 5_000;

/** Subscriptions that a lost dispute ends, in apps that want that (rules/lifecycle 12). */
@Injectable()
export class EndsByDispute {
  constructor(
    private readonly ledger: Ledger,
    @Inject(APP_DIRECTORY) private readonly apps: Pick<AppDirectory, 'find'>,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  /**
   * Waits, within the bound, until the lost dispute has ended the subscription.
   *
   * @param lostAt the position of the dispute's end in the payment's stream.
   * @returns the position that a read has to show; `lostAt` where the dispute ends no subscription.
   */
  async await(payment: RequestedPayment, lostAt: Position | null): Promise<Position | null> {
    const { appId, paymentId, purpose } = payment;
    const id = findSubscriptionId(purpose);
    const app = await this.apps.find(appId);
    if (app?.onLostDispute !== 'end' || id === '') return lostAt;
    const look = async () => {
      const { state, position } = await this.ledger.load(subscriptionAggregate, id);
      if (state.status === 'none' || canEndByDispute(state, paymentId)) return undefined;
      return position ?? undefined;
    };
    const limits = { limitMs: ANSWER_LIMIT_MS, stopping: this.stopping };
    const endedAt = await lookUntil(look, limits);
    // A subscription that had ended before the dispute has not changed since.
    return endedAt === undefined || (lostAt !== null && endedAt < lostAt) ? lostAt : endedAt;
  }
}
