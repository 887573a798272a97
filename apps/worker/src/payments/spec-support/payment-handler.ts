import type { CommandExecutor } from '#event-store';
import type { PaymentGateway } from '#gateway';
import { createSeal } from '#platform';
import { createChallengeAddresses } from '#tenancy';
import type { InFlightSet } from '../../redis/in-flight-set.js';
import { silent } from '../../spec-support/fakes.js';
import { ChargeAtGateway } from '../charge-at-gateway.js';
import { GivenUpCharges } from '../given-up-charges.js';
import { PaymentCommands } from '../payment-commands.js';
import { PaymentHandler } from '../payment-handler.js';
import { RefundAtGateway } from '../refund-at-gateway.js';

/** The seals of challenges. */
export const addresses = createChallengeAddresses(createSeal(Buffer.alloc(32)));
const STOREFRONT = 'https://pay.example';

/** A handler of payment jobs with its parts, over a gateway that does as the test says. */
export function createPaymentHandler(around: {
  readonly commands: CommandExecutor;
  readonly gateway?: Partial<PaymentGateway>;
  readonly inFlight: Partial<InFlightSet>;
  /** The time on the app's clock. */
  readonly now: () => string;
}): PaymentHandler {
  const { commands, gateway, inFlight, now } = around;
  const find = async () => gateway as PaymentGateway | undefined;
  const gateways = { find, findFor: find, serves: async () => true };
  const payments = new PaymentCommands(commands, { now: async () => now() });
  return new PaymentHandler(
    new ChargeAtGateway(
      gateways,
      payments,
      new GivenUpCharges(gateways, payments, silent),
      STOREFRONT,
      addresses,
    ),
    new RefundAtGateway(gateways, payments, silent),
    inFlight as InFlightSet,
    silent,
  );
}
