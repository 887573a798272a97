import { Inject, Injectable } from '@nestjs/common';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { AnyRejection } from '#domain/decider';
import { loyaltyAggregate } from '#domain/loyalty';
import { orderAggregate } from '#domain/order';
import { paymentAggregate } from '#domain/payment';
import type { ProcessOutput, ProcessStep } from '#domain/processes';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandContext, CommandExecutor } from '#event-store';
import { Defect, Fault, forEachConcurrently, groupBy } from '#platform';
import type { AppDirectory } from '#tenancy';
import { isConflict, retryConflicts } from '../conflict-retry.js';
import type { Planned, PoisonGate } from '../feed/event-consumer.js';
import { inFlightMember, PROCESS } from '#checkpoint-backup';
import { InFlightSet } from '../feed/in-flight-set.js';
import { COMMANDS_AT_ONCE, JOB_LOST_AFTER_MS } from '../limits.js';
import { APPS, COMMANDS } from '../tokens.js';
import { type Causation, causationOf, contextFrom } from './causation.js';
import { type PaymentJob, paymentJobFor } from './payments/payment-jobs.js';
import { PaymentRunner } from './payments/payment-runner.js';

type PlannedOutputs = Planned<readonly ProcessOutput[]>;
type GatewayStep = Extract<ProcessStep, { kind: 'charge' | 'refund' }>;
type CommandStep = Exclude<ProcessStep, GatewayStep>;

/** Carries out what processes want done: commands at once, charges and refunds as jobs. */
@Injectable()
export class StepExecutor {
  constructor(
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'execute' | 'load'>,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'now'>,
    @Inject(PaymentRunner) private readonly payments: Pick<PaymentRunner, 'add'>,
    private readonly inFlight: InFlightSet,
  ) {}

  /**
   * Resolves when all of it is durable. Each step is harmless when done twice. A command whose stream
   * others keep changing is tried again by itself while the others are done; in the end it parks the
   * stream of its event, so that the batch goes on without it.
   *
   * @throws Fault of the store or of Redis: the same events are then to be given again.
   */
  async execute(planned: readonly PlannedOutputs[], gate: PoisonGate): Promise<void> {
    await this.#addJobs(planned.flatMap((item) => toJobs(item)));
    const groups = groupBy(planned, findOrderKey);
    await forEachConcurrently(groups, COMMANDS_AT_ONCE, async (group) => {
      for (const item of group) {
        if (gate.isHeld(item.event)) continue;
        await this.#runCommands(item).catch((error: unknown) =>
          gate.poison(item.event, toLasting(error)),
        );
      }
    });
  }

  async #runCommands({ event, plan }: PlannedOutputs): Promise<void> {
    for (const { process, steps } of plan) {
      for (const step of steps.filter(isCommand)) {
        await this.#command(step, causationOf(event, process));
      }
    }
  }

  async #command(step: CommandStep, causation: Causation): Promise<void> {
    const context = contextFrom(causation, await this.apps.now(causation));
    const result = await retryConflicts(async () => this.#execute(step, context));
    if (result.accepted || (await this.#isForNothing(step, result.rejection))) return;
    throw new Defect(`${causation.process} was refused: ${result.rejection.code}`);
  }

  /**
   * A first payment was refunded or disputed before it was known whether it buys anything. It buys nothing, so
   * that there is no subscription to note it; what comes behind it in the payment's stream, such as its own
   * return, must not wait for one. Where that is still open, the event is parked and tried again.
   */
  async #isForNothing(step: CommandStep, { code }: AnyRejection): Promise<boolean> {
    if (step.kind !== 'subscription' || code !== 'subscription/not_found') return false;
    const { command } = step;
    if (command.kind !== 'RecordRefund' && command.kind !== 'RecordDispute') return false;
    const { state } = await this.commands.load(paymentAggregate, command.paymentId);
    return state.status !== 'none' && state.unappliedAt !== null;
  }

  #execute(step: CommandStep, context: CommandContext) {
    const { id } = step;
    switch (step.kind) {
      case 'subscription': {
        const { command, commandId } = step;
        const once = commandId === undefined ? context : { ...context, commandId };
        const isNew = command.kind === 'CreateSubscription';
        return this.commands.execute(subscriptionAggregate, id, command, once, { isNew });
      }
      case 'order': {
        const { command, commandId } = step;
        const once = commandId === undefined ? context : { ...context, commandId };
        return this.commands.execute(orderAggregate, id, command, once);
      }
      case 'loyalty':
        return this.commands.execute(loyaltyAggregate, id, step.command, context);
      case 'payment':
        return this.commands.execute(paymentAggregate, id, step.command, context);
      case 'checkout_link':
        return this.commands.execute(checkoutLinkAggregate, id, step.command, context);
    }
  }

  /**
   * In flight first: a job that is lost with this process before it was noted would never be begun again. One
   * that is lost right after is found by the sweep when it is due.
   */
  async #addJobs(jobs: readonly PaymentJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const dueAtMs = Date.now() + JOB_LOST_AFTER_MS;
    const members = jobs.map(({ data }) => ({ member: data.inFlight, dueAtMs }));
    const begun = new Set(await this.inFlight.begin(members));
    this.payments.add(jobs.filter(({ data }) => begun.has(data.inFlight)));
  }
}

/** A conflict that outlasted its attempts must not give the whole batch again. */
function toLasting(error: unknown): unknown {
  if (!isConflict(error)) return error;
  return new Fault('conflict', error.message, { retryable: false, cause: error });
}

function isCommand(step: ProcessStep): step is CommandStep {
  return !isGatewayStep(step);
}

/** Whether the gateway has to be asked, which is a job. */
export function isGatewayStep(step: ProcessStep): step is GatewayStep {
  return step.kind === 'charge' || step.kind === 'refund';
}

/** Commands to the same stream are given in the order of the events that they follow from. */
function findOrderKey({ event, plan }: PlannedOutputs): string {
  const command = plan.flatMap(({ steps }) => steps).find(isCommand);
  return command === undefined ? event.streamName : `${command.kind} ${command.id}`;
}

function toJobs({ event, plan }: PlannedOutputs): PaymentJob[] {
  const inFlight = inFlightMember(event, PROCESS);
  return plan.flatMap(({ process, steps }) =>
    steps
      .filter(isGatewayStep)
      .map((step) => paymentJobFor(step, causationOf(event, process), inFlight)),
  );
}
