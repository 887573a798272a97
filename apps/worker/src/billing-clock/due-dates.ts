import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import type { Instant, Position } from '#domain/event';
import { type Subscription, subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor } from '#event-store';
import { assertDefect, deriveUuid } from '#platform';
import type { DueDate } from '#projections';
import { retryConflicts } from '../conflict-retry.js';
import { dueHandled } from '../metrics.js';
import { COMMANDS } from '../tokens.js';

export type Tenant = Pick<CreatedApp, 'appId' | 'environment' | 'dunning'>;

/** What became of a due date. */
export interface Processed {
  /** The charge that was asked for or was on its way already; it is settled by a later event. */
  readonly paymentId: string | null;
  readonly position: Position | null;
}

/** Lets what is due happen: a renewal, a retry, the end of a canceled period or of grace. */
@Injectable()
export class DueDates {
  constructor(
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'execute' | 'load'>,
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
    return { paymentId: findPendingPayment(result.state), position: result.position };
  }
}

/** The charge of a subscription that has no outcome yet. */
export function findPendingPayment(state: Subscription): string | null {
  return state.status === 'none' ? null : (state.pendingCharge?.paymentId ?? null);
}
