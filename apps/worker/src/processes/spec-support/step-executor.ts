import type { CommandExecutor } from '#event-store';
import type { InFlightSet } from '../../feed/in-flight-set.js';
import type { OwnEvents } from '../own-events.js';
import type { PaymentRunner } from '../payments/payment-runner.js';
import { StepCommands } from '../step-commands.js';
import { StepExecutor } from '../step-executor.js';

/** Has begun nothing by itself, as another worker, or the same one after a start. */
export const nothingBegun: Pick<OwnEvents, 'take' | 'goOn'> = {
  take: async () => false,
  goOn: () => undefined,
};

/** An executor of steps over these commands, with the parts that a test says. */
export function createStepExecutor(
  commands: CommandExecutor,
  now: string,
  around: {
    readonly own?: Pick<OwnEvents, 'take' | 'goOn'>;
    readonly payments?: Pick<PaymentRunner, 'add'>;
    readonly inFlight?: Partial<InFlightSet>;
  } = {},
): StepExecutor {
  const { own = nothingBegun, payments = { add: () => undefined }, inFlight = {} } = around;
  const stepCommands = new StepCommands(commands, { now: async () => now });
  return new StepExecutor(stepCommands, own, payments, inFlight as InFlightSet);
}
