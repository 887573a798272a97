import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import type { Aggregate, AnyRejection } from '#domain/decider';
import type { DomainEvent, Instant, Position } from '#domain/event';
import { orderAggregate } from '#domain/order';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor } from '#event-store';
import { assertDefect, deriveUuid } from '#platform';
import type { DueDate } from '#projections';
import { retryConflicts } from '../conflict-retry.js';
import { dueHandled } from '../metrics.js';
import { COMMANDS } from '../tokens.js';
import {
  type AwaitedCharge,
  isOrderId,
  listAwaitedOfOrder,
  listAwaitedOfSubscription,
} from './awaited-charges.js';
import { ChargesAtBound } from './charges-at-bound.js';

export type Tenant = Pick<CreatedApp, 'appId' | 'environment' | 'dunning'>;

/** When a due date is processed, by the clock of its app. */
interface Moment {
  readonly app: Tenant;
  readonly now: Instant;
}

/** The outcome of a due date. */
export interface Processed {
  /** The charge that was asked for or was on its way already; it is settled by a later event. */
  readonly paymentId: string | null;
  readonly position: Position | null;
  /** Whether that charge has had all its time: it is settled soon, or given up. */
  readonly isAtBound: boolean;
}

/** The state of its subject. */
interface Happened {
  readonly position: Position | null;
  readonly awaited: readonly AwaitedCharge[];
  /** The charge that it waits for now. */
  readonly pending: AwaitedCharge | undefined;
}

/**
 * Makes the due steps: a renewal, a retry, the end of a canceled period, of grace, or of a charge; and the end of an
 * order that was not paid.
 */
@Injectable()
export class DueDates {
  constructor(
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'execute' | 'load'>,
    @Inject(ChargesAtBound) private readonly chargesAtBound: Pick<ChargesAtBound, 'askNow'>,
  ) {}

  /**
   * Harmless when it is done twice, or too early because the read models lag: the subscription or order itself
   * decides.
   *
   * @param at the app and an instant of its clock.
   * @throws Fault of the store.
   */
  async process(
    date: DueDate,
    at: Moment & { readonly by: 'scheduler' | 'test_clock' },
  ): Promise<Processed> {
    const { subjectId } = date;
    const happened = isOrderId(subjectId)
      ? await this.#processOrder(date, at)
      : await this.#processSubscription(date, at);
    dueHandled.inc({ by: at.by });
    const { position, awaited, pending } = happened;
    const atBound = awaited.find(({ givenUpAt }) => givenUpAt <= at.now);
    if (atBound !== undefined) {
      await this.chargesAtBound.askNow({ subjectId, paymentId: atBound.paymentId });
    }
    const { paymentId = null } = atBound ?? pending ?? {};
    return { paymentId, position, isAtBound: atBound !== undefined };
  }

  async #processSubscription(date: DueDate, { app, now }: Moment): Promise<Happened> {
    const command = { kind: 'ProcessDueDate', now, dunning: app.dunning } as const;
    const act = { process: 'renew_on_due_date', command, app, now };
    const { state, position } = await this.#execute(subscriptionAggregate, date, act);
    const awaited = listAwaitedOfSubscription(state);
    return { position, awaited, pending: awaited[0] };
  }

  async #processOrder(date: DueDate, { app, now }: Moment): Promise<Happened> {
    const command = { kind: 'ProcessOrderDueDate', now } as const;
    const act = { process: 'expire_on_due_date', command, app, now };
    const { state, position } = await this.#execute(orderAggregate, date, act);
    // It asks for no charge by itself: a charge that its player began is waited for at its bound alone.
    return { position, awaited: listAwaitedOfOrder(state), pending: undefined };
  }

  async #execute<
    State extends
      { readonly status: 'none' } | { readonly status: string; readonly player: string },
    Command,
    Event extends DomainEvent,
    Rejection extends AnyRejection,
  >(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    { subjectId, dueAt }: DueDate,
    {
      app,
      now,
      process,
      command,
    }: Moment & { readonly process: string; readonly command: Command },
  ) {
    const { state: known } = await this.commands.load(aggregate, subjectId);
    assertDefect('player' in known, `${subjectId} is due and is not there`);
    const { appId, environment } = app;
    const context = {
      ...{ appId, environment, player: known.player, now, actor: `process:${process}` },
      correlationId: deriveUuid(`${subjectId}/${dueAt}`),
    };
    const result = await retryConflicts(() =>
      this.commands.execute(aggregate, subjectId, command, context),
    );
    assertDefect(result.accepted, `${subjectId} refused its due date`);
    return result;
  }
}

/** Names a due date, as a read model showed it: one done at one revision may be due again at a later one. */
export function nameDueDate({ subjectId, dueAt, revision }: DueDate): string {
  return `${subjectId} ${dueAt} ${revision}`;
}
