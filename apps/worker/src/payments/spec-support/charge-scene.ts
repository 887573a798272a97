import { paymentAggregate, type RequestedPayment } from '#domain/payment';
import { createCommandExecutor, type EventStore } from '#event-store';
import type { ChargeOutcome, FoundCharge, GatewayCharge, PaymentGateway } from '#gateway';
import { Fault } from '#platform';
import { periodCharge } from '../../../../../libs/domain/src/payment/spec-support/period-charge.js';
import type { InFlightSet } from '../../redis/in-flight-set.js';
import type { ChargeJobData } from '../payment-jobs.js';
import { createPaymentHandler } from './payment-handler.js';

export const ASKED_AT = '2027-01-31T10:00:00.000Z';
/** A bound that no test comes to. */
const NEVER = '9999-01-01T00:00:00.000Z';
const method = { paymentMethodSubType: '', issuerBank: '' };
export const captured = { status: 'captured', method } as const;
export const pending = { status: 'pending' } as const;
/** The player is there: the first period of a subscription. */
export const FIRST_PERIOD = {
  ...periodCharge({
    ...{ subscriptionId: 'sub_1', amount: { amountMinor: '999', currency: 'USD' } },
    ...{ start: ASKED_AT, number: 1 },
  }),
  ...{ paymentId: 'pay_1', appId: 'app_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601' },
  ...{ checkoutLinkId: 'cl_1', paymentMethod: 'pm_ok', personal: {} },
};
export const DOWN = new Fault('unavailable', 'the gateway is down', { retryable: true });

const charge = {
  ...periodCharge({
    ...{ subscriptionId: 'sub_1', amount: { amountMinor: '999', currency: 'USD' } },
    ...{ start: ASKED_AT, number: 2 },
  }),
  ...{ paymentId: 'pay_1', appId: 'app_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601' },
  ...{ checkoutLinkId: '', paymentMethod: 'pm_ok', personal: {} },
};
export const causation = {
  ...{ eventId: 'e', correlationId: 'c', appId: 'app_1', environment: 'test' as const },
  ...{ occurredAt: ASKED_AT, process: 'charge_on_renewal_request' },
};

/** A renewal's charge, whose event came at `ASKED_AT`, over a gateway with the answers here. */
export function chargeScene(store: Partial<EventStore>) {
  const commands = createCommandExecutor(store as EventStore);
  const scene = {
    now: ASKED_AT,
    charge: captured as ChargeOutcome | Fault,
    find: { status: 'unknown' } as FoundCharge | Fault,
    /** The requests to the gateway, in order. */
    asked: [] as string[],
    /** The requested charges. */
    charges: [] as GatewayCharge[],
  };
  const answer = async <T>(what: string, outcome: T | Fault) => {
    scene.asked.push(what);
    if (outcome instanceof Fault) throw outcome;
    return outcome;
  };
  const gateway: Partial<PaymentGateway> = {
    keyLifetimeMs: 24 * 3_600_000,
    charge: (charge) => {
      scene.charges.push(charge);
      return answer('charge', scene.charge);
    },
    findCharge: () => answer('find', scene.find),
  };
  /** Of the job: when it is to ask again, or that it has ended. */
  const ended: (number | 'ended')[] = [];
  const inFlight: Partial<InFlightSet> = {
    end: async () => void ended.push('ended'),
    askAgain: async (_, atMs) => void ended.push(atMs),
  };
  const handler = createPaymentHandler({ commands, gateway, inFlight, now: () => scene.now });
  let data: ChargeJobData | undefined;
  const run = async (attemptsMade = 1, more: Partial<ChargeJobData> = {}) => {
    const bound = { clock: 'wall', at: NEVER } as const;
    const begun = {
      kind: 'charge',
      charge,
      bound,
      causation,
      inFlight: 'member',
      ...more,
    } as const;
    // Another attempt is one of the same job.
    if (attemptsMade === 0 || data === undefined) data = begun;
    await handler.process({ id: 'charge-pay_1', data, attemptsMade });
    const { state } = await commands.load(paymentAggregate, 'pay_1');
    // It was requested before the gateway was asked.
    return state as RequestedPayment;
  };
  return Object.assign(scene, { run, ended, commands });
}
