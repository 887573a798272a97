import { Inject, Injectable } from '@nestjs/common';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { AnyRejection } from '#domain/decider';
import { loyaltyAggregate } from '#domain/loyalty';
import type { RecordedEvent } from '#domain/event';
import { orderAggregate } from '#domain/order';
import { paymentAggregate } from '#domain/payment';
import { playerPlansAggregate } from '#domain/player-plans';
import type { ProcessOutput, ProcessStep } from '#domain/processes';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandContext, CommandExecutor } from '#event-store';
import { Defect } from '#platform';
import type { AppDirectory } from '#tenancy';
import { APPS, COMMANDS } from '../tokens.js';
import { type Causation, causationOf, contextFrom } from '../payments/payment-commands.js';

type GatewayStep = Extract<ProcessStep, { kind: 'charge' | 'refund' }>;
type CommandStep = Exclude<ProcessStep, GatewayStep>;

/** The steps of processes that are commands, each harmless when done twice. */
@Injectable()
export class StepCommands {
  constructor(
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'execute' | 'load'>,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'now'>,
  ) {}

  /** @throws Defect where the domain refuses it; Fault of the store. */
  async run(step: CommandStep, causation: Causation): Promise<void> {
    const context = contextFrom(causation, await this.apps.now(causation));
    const result = await this.#execute(step, context);
    if (result.accepted || (await this.#isForNothing(step, result.rejection))) return;
    throw new Defect(`${causation.process} was refused: ${result.rejection.code}`);
  }

  /**
   * A first payment was refunded or disputed before it was known whether it buys anything. It buys nothing, so that
   * there is no subscription to note it; later events in the payment's stream, such as its own return, must not wait
   * for one. Where that is still open, the event is parked and tried again.
   */
  async #isForNothing(step: CommandStep, { code }: AnyRejection): Promise<boolean> {
    if (step.kind !== 'subscription' || code !== 'subscription/not_found') return false;
    const { command } = step;
    if (command.kind !== 'RecordRefund' && command.kind !== 'RecordDispute') return false;
    const { state } = await this.commands.load(paymentAggregate, command.paymentId);
    return state.status !== 'none' && state.unappliedAt !== null;
  }

  #execute(step: CommandStep, of: CommandContext) {
    const { kind, id } = step;
    const commandId = 'commandId' in step ? step.commandId : undefined;
    const context = commandId === undefined ? of : { ...of, commandId };
    switch (kind) {
      case 'subscription': {
        const isNew = step.command.kind === 'CreateSubscription';
        return this.commands.execute(subscriptionAggregate, id, step.command, context, { isNew });
      }
      case 'order':
        return this.commands.execute(orderAggregate, id, step.command, context);
      case 'loyalty':
        return this.commands.execute(loyaltyAggregate, id, step.command, context);
      case 'player_plans':
        return this.commands.execute(playerPlansAggregate, id, step.command, context);
      case 'payment':
        return this.commands.execute(paymentAggregate, id, step.command, context);
      case 'checkout_link':
        return this.commands.execute(checkoutLinkAggregate, id, step.command, context);
    }
  }
}

/** The commands that follow from an event, in their order, each with its causation. */
export function listCommands(
  event: RecordedEvent,
  outputs: readonly ProcessOutput[],
): { readonly step: CommandStep; readonly causation: Causation }[] {
  return outputs.flatMap(({ process, steps }) => {
    const causation = causationOf(event, process);
    return steps.filter(isCommand).map((step) => ({ step, causation }));
  });
}

export function isCommand(step: ProcessStep): step is CommandStep {
  return !isGatewayStep(step);
}

/** Whether the gateway has to be asked, which is a job. */
export function isGatewayStep(step: ProcessStep): step is GatewayStep {
  return step.kind === 'charge' || step.kind === 'refund';
}
