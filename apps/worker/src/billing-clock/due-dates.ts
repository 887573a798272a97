import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import type { Instant, Position } from '#domain/event';
import { awaitedCharge, type Subscription, subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor } from '#event-store';
import { assertDefect, deriveUuid } from '#platform';
import type { DueDate } from '#projections';
import { retryConflicts } from '../conflict-retry.js';
import { dueHandled } from '../metrics.js';
import { COMMANDS } from '../tokens.js';
import { ChargesAtBound } from './charges-at-bound.js';

export type Tenant = Pick<CreatedApp, 'appId' | 'environment' | 'dunning'>;

/** What became of a due date. */
export interface Processed {
  /** The charge that was asked for or was on its way already; it is settled by a later event. */
  readonly paymentId: string | null;
  readonly position: Position | null;
  /** Whether that charge has had all its time: it is settled soon, or given up. */
  readonly isAtBound: boolean;
}

/** Lets what is due happen: a renewal, a retry, the end of a canceled period, of grace, or of a charge. */
@Injectable()
export class DueDates {
  constructor(
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'execute' | 'load'>,
    @Inject(ChargesAtBound) private readonly chargesAtBound: Pick<ChargesAtBound, 'askNow'>,
  ) {}

  /**
   * Harmless when it is done twice, or too early because the read models lag: the subscription itself
   * decides.
   *
   * @param at the app and an instant of its clock.
   * @throws Fault of the store.
   */
  async process(
    { subscriptionId, dueAt }: DueDate,
    at: { readonly app: Tenant; readonly now: Instant; readonly by: 'scheduler' | 'test_clock' },
  ): Promise<Processed> {
    const { now, app, by } = at;
    const { state: known } = await this.commands.load(subscriptionAggregate, subscriptionId);
    assertDefect(known.status !== 'none', `${subscriptionId} is due and is not there`);
    const context = {
      appId: app.appId,
      environment: app.environment,
      player: known.player,
      actor: 'process:renew_on_due_date',
      correlationId: deriveUuid(`${subscriptionId}/${dueAt}`),
      now,
    };
    const command = { kind: 'ProcessDueDate', now, dunning: app.dunning } as const;
    const result = await retryConflicts(() =>
      this.commands.execute(subscriptionAggregate, subscriptionId, command, context),
    );
    assertDefect(result.accepted, `${subscriptionId} refused its due date`);
    dueHandled.inc({ by });
    const paymentId = findPendingPayment(result.state);
    const isAtBound = hasPendingAtBound(result.state, now);
    if (paymentId !== null && isAtBound) {
      await this.chargesAtBound.askNow({ subscriptionId, paymentId });
    }
    return { paymentId, position: result.position, isAtBound };
  }
}

function hasPendingAtBound(state: Subscription, now: Instant): boolean {
  const awaited = state.status === 'none' ? null : awaitedCharge(state);
  return awaited !== null && awaited.givenUpAt <= now;
}

/** The charge of a subscription that has no outcome yet. */
export function findPendingPayment(state: Subscription): string | null {
  return state.status === 'none' ? null : (awaitedCharge(state)?.paymentId ?? null);
}
