import { Inject, Injectable } from '@nestjs/common';
import { toMilliseconds } from '#domain/calendar';
import type { Environment, Instant, RecordedEvent } from '#domain/event';
import {
  paymentAggregate,
  type PaymentCommand,
  type PaymentEvent,
  renewsSubscription,
  type RequestedPayment,
} from '#domain/payment';
import type { CommandContext, CommandExecutor } from '#event-store';
import { settleBy, type SettledCharge } from '#gateway';
import { assertDefect } from '#platform';
import type { AppDirectory } from '#tenancy';
import { APPS, COMMANDS } from '../tokens.js';

/** Why a process acts: the part of an event that goes into the metadata of its consequences. */
export interface Causation {
  readonly eventId: string;
  readonly correlationId: string;
  readonly appId: string;
  readonly environment: Environment;
  readonly player?: string;
  readonly occurredAt: Instant;
  /** The act and its cause: `charge_on_renewal_request`. */
  readonly process: string;
}

export function causationOf(
  { id, metadata }: Pick<RecordedEvent, 'id' | 'metadata'>,
  process: string,
): Causation {
  const { $correlationId, appId, environment, player, occurredAt } = metadata;
  return {
    eventId: id,
    correlationId: $correlationId,
    appId,
    environment,
    ...(player !== undefined && { player }),
    occurredAt,
    process,
  };
}

/**
 * The context of a command that follows from an event. No command id: the domain itself recognizes repetitions, and a
 * note of each would fill the streams.
 *
 * @param now on the app's clock; never before the event itself.
 */
export function contextFrom(causation: Causation, now: Instant): CommandContext {
  const { player, occurredAt } = causation;
  return {
    appId: causation.appId,
    environment: causation.environment,
    actor: `process:${causation.process}`,
    correlationId: causation.correlationId,
    causationId: causation.eventId,
    ...(player !== undefined && { player }),
    now: now > occurredAt ? now : occurredAt,
  };
}

/** A payment after a command, and the events of the command. */
interface CommandedPayment {
  readonly payment: RequestedPayment;
  readonly events: readonly PaymentEvent[];
}

/** The commands of jobs on payments, at the time of their app's clock. Calls throw Fault of the store. */
@Injectable()
export class PaymentCommands {
  constructor(
    @Inject(COMMANDS) private readonly commands: CommandExecutor,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'now'>,
  ) {}

  /** None of these commands is refused to a process. @param options of the command executor. */
  async execute(
    paymentId: string,
    causation: Causation,
    commandAt: (now: string) => PaymentCommand,
    options: { readonly isNew?: boolean } = {},
  ): Promise<CommandedPayment> {
    const context = contextFrom(causation, await this.apps.now(causation));
    const command = commandAt(context.now);
    const result = await this.commands.execute(
      paymentAggregate,
      paymentId,
      command,
      context,
      options,
    );
    assertDefect(
      result.accepted,
      `${command.kind} of ${paymentId}: ${result.accepted ? '' : result.rejection.code}`,
    );
    const { state: payment, events } = result;
    assertDefect(payment.status !== 'none', `${paymentId} is not there after ${command.kind}`);
    return { payment, events };
  }

  /** Stores the gateway's outcome of a charge. */
  async settle(paymentId: string, causation: Causation, outcome: SettledCharge): Promise<void> {
    await this.execute(paymentId, causation, (now) => settleBy(outcome, now));
  }

  async load(paymentId: string): Promise<RequestedPayment> {
    const { state } = await this.commands.load(paymentAggregate, paymentId);
    assertDefect(state.status !== 'none', `${paymentId} is not there`);
    return state;
  }

  /** The time on the app's clock. */
  async now(causation: Causation): Promise<Instant> {
    return this.apps.now(causation);
  }

  /**
   * For how long the key of a charge or refund may have been in use, at most. A ledger that was restored repeats its
   * requests under the same keys: so it counts from a renewal's due date, and not from the event alone. The clock of a
   * test app never goes slower than the wall's.
   */
  async ageMs(payment: RequestedPayment, causation: Causation): Promise<number> {
    const now = await this.now(causation);
    const { purpose, requestedAt } = payment;
    const isRenewal = purpose.kind === 'subscription_period' && renewsSubscription(purpose);
    const dueAt = isRenewal ? purpose.period.start : requestedAt;
    const [since = requestedAt] = [causation.occurredAt, requestedAt, dueAt].sort();
    return toMilliseconds(now) - toMilliseconds(since);
  }
}
