import { deriveId } from '#domain/ids';
import type { CommandExecutor, EventStore } from '#event-store';
import { createSandboxNotices, type PaymentGateway } from '#gateway';
import {
  ReceiveNotice,
  ReceiveNoticeHandler,
} from '../../../apps/api/src/gateway-notices/commands/receive-notice.js';
import type { ChargeJobData } from '../../../apps/worker/src/payments/payment-jobs.js';
import { createPaymentHandler } from '../../../apps/worker/src/payments/spec-support/payment-handler.js';
import { silent } from '../../../apps/worker/src/spec-support/fakes.js';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import { tellingFirst } from '../../contract/gateway/moods.js';

const AT = '2027-01-31T10:00:00.000Z';
const APP = { appId: 'app_1', environment: 'test' as const };
const NEVER = { clock: 'wall', at: '9999-01-01T00:00:00.000Z' } as const;

/**
 * The worker charges a payment of the ledger at a gateway whose notice of the outcome has come to the API, signed and
 * read, before the answer to the call.
 *
 * @returns the events of the payment after each time that the job has run.
 */
export async function chargeToldFirst(
  {
    store,
    commands,
    sandbox,
  }: { store: EventStore; commands: CommandExecutor; sandbox: PaymentGateway },
  paymentMethod: string,
  runs: number,
): Promise<string[][]> {
  const paymentId = deriveId('pay', AT, '3f', paymentMethod);
  const clock = { now: () => AT };
  const notices = createSandboxNotices({ keys: () => [Buffer.alloc(32, 1)], clock });
  const edge = new ReceiveNoticeHandler(
    ...([commands, { find: async () => APP, now: async () => AT } as never] as const),
    ...([{ serves: async () => true } as never, { of: () => notices }, silent] as const),
  );
  const gateway = tellingFirst(sandbox, async (notice) => {
    await edge.execute(
      new ReceiveNotice({
        kind: 'sandbox',
        received: notices.sign(APP.appId, notice),
        requestId: 'told',
      }),
    );
  });
  const inFlight = { end: async () => undefined, askAgain: async () => undefined };
  const handler = createPaymentHandler({ commands, gateway, inFlight, now: () => AT });
  const amount = { amountMinor: '999', currency: 'USD' };
  const charge = {
    ...{ paymentId, ...APP, player: 'p', checkoutLinkId: '', paymentMethod, personal: {} },
    ...periodCharge({ subscriptionId: `sub_${paymentMethod}`, amount, start: AT, number: 2 }),
  };
  const causation = { ...APP, eventId: 'e', correlationId: 'c', occurredAt: AT, process: 'charge' };
  const data: ChargeJobData = { kind: 'charge', charge, bound: NEVER, causation, inFlight: 'x' };
  const after: string[][] = [];
  for (let attemptsMade = 0; attemptsMade < runs; attemptsMade += 1) {
    // An answer that was lost is asked for by the next run.
    await handler.process({ id: paymentId, data, attemptsMade }).catch(() => undefined);
    const types: string[] = [];
    for await (const { type } of store.readStream(`payment-${paymentId}`)) types.push(type);
    after.push(types);
  }
  return after;
}
