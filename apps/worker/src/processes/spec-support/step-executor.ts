import type { CommandExecutor } from '#event-store';
import type { InFlightSet } from '../../redis/in-flight-set.js';
import type { PaymentRunner } from '../../payments/payment-runner.js';
import { StepCommands } from '../step-commands.js';
import { StepExecutor } from '../step-executor.js';

/** An executor of steps over these commands, with the parts that a test says. */
export function createStepExecutor(
  commands: CommandExecutor,
  now: string,
  around: {
    readonly payments?: Pick<PaymentRunner, 'add'>;
    readonly inFlight?: Partial<InFlightSet>;
  } = {},
): StepExecutor {
  const { payments = { add: () => undefined }, inFlight = {} } = around;
  const stepCommands = new StepCommands(commands, { now: async () => now });
  return new StepExecutor(stepCommands, payments, inFlight as InFlightSet);
}
