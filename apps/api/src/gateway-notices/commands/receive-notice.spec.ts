import { describe, expect, it } from 'vitest';
import { type Payment, paymentAggregate, type PaymentCommand } from '#domain/payment';
import { createCommandExecutor, type EventStore } from '#event-store';
import type { GatewayNotice, NoticeReaders } from '#gateway';
import type { Log } from '#platform';
import { periodCharge } from '../../../../../libs/domain/src/payment/spec-support/period-charge.js';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { ReceiveNotice, ReceiveNoticeHandler } from './receive-notice.js';

const NOW = '2027-02-03T08:00:00.000Z';
const PAYMENT = 'pay_01kg9qxg805fd9zf3vcz2q1fb6nq';
const amount = { amountMinor: '999', currency: 'USD' };
const method = { paymentMethodSubType: 'visa', issuerBank: 'Bank' };
const context = {
  ...{ appId: 'app_1', environment: 'test' as const, actor: 'process:x' },
  ...{ correlationId: 'c', now: NOW },
};
const dispute = { chargeKey: PAYMENT, disputeId: 'dsp_1', amount };
const opened: GatewayNotice = { kind: 'dispute_opened', ...dispute };
const closed: GatewayNotice = { kind: 'dispute_closed', ...dispute, won: false };

describe('a notice', () => {
  it('is applied to the payment that it is about, whatever comes first', async () => {
    const { receive, payment } = await begin();
    await receive(closed);
    await receive(opened);
    expect(await payment()).toMatchObject({ status: 'REFUNDED', disputeIds: ['dsp_1'] });
  });

  it('of the outcome of a charge settles it, once', async () => {
    const { receive, payment } = await begin([]);
    const decline = {
      ...{ reason: 'do_not_honor' as const, declineClass: 'soft' as const, rawDeclineCode: '05' },
    };
    const outcome = { status: 'captured', method } as const;
    await receive({ kind: 'charge_settled', chargeKey: PAYMENT, outcome });
    const late = { status: 'declined', decline, method } as const;
    await receive({ kind: 'charge_settled', chargeKey: PAYMENT, outcome: late });
    expect(await payment()).toMatchObject({ status: 'SUCCEEDED', method });
  });

  it('of a capture after the decline changes nothing, and is named where finance looks', async () => {
    const { receive, payment, log } = await begin([DECLINE]);
    const outcome = { status: 'captured', method } as const;
    await receive({ kind: 'charge_settled', chargeKey: PAYMENT, outcome });
    expect(await payment()).toMatchObject({ status: 'FAILED' });
    expect(log).toEqual([{ paymentId: PAYMENT, told: 'captured', known: 'declined' }]);
  });

  it('of an outcome that is known already is not named, nor is one of a charge that was given up', async () => {
    const captured = { status: 'captured', method } as const;
    const giveUp = { kind: 'GiveUpPayment', now: NOW, wallNow: NOW } as const;
    for (const history of [[CAPTURE], [giveUp]]) {
      const { receive, payment, log } = await begin(history);
      await receive({ kind: 'charge_settled', chargeKey: PAYMENT, outcome: captured });
      expect(await payment()).toMatchObject({ status: 'SUCCEEDED' });
      expect(log).toEqual([]);
    }
  });

  it('of a refund that failed gives its amount back to what remains', async () => {
    const ask = { kind: 'RequestRefund', refundId: 'ref_1', now: NOW } as const;
    const { receive, payment } = await begin([CAPTURE, ask]);
    await receive({ kind: 'refund_failed', chargeKey: PAYMENT, refundKey: 'ref_1' });
    expect(await payment()).toMatchObject({ status: 'SUCCEEDED', openRefunds: [] });
  });

  it('of a refund that failed after it was made takes it back', async () => {
    const ask = { kind: 'RequestRefund', refundId: 'ref_1', now: NOW } as const;
    const confirm = { kind: 'ConfirmRefund', refundId: 'ref_1', now: NOW } as const;
    const { receive, payment } = await begin([CAPTURE, ask, confirm]);
    expect(await payment()).toMatchObject({ status: 'REFUNDED' });
    await receive({ kind: 'refund_failed', chargeKey: PAYMENT, refundKey: 'ref_1' });
    expect(await payment()).toMatchObject({ status: 'SUCCEEDED', madeRefunds: [] });
  });

  it('that overtakes the answer to its charge is to come again', async () => {
    const { receive, payment } = await begin([]);
    await expect(receive(opened)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    expect(await payment()).toMatchObject({ status: 'PENDING' });
  });

  it("of another app's payment, or of none, changes nothing", async () => {
    const { receive, payment } = await begin();
    await expect(receive(opened, { appId: 'app_2' })).rejects.toMatchObject({
      reason: 'PAYMENT_NOT_FOUND',
    });
    const none = { ...opened, chargeKey: 'pay_1' };
    await expect(receive(none)).rejects.toMatchObject({ reason: 'PAYMENT_NOT_FOUND' });
    expect(await payment()).toMatchObject({ status: 'SUCCEEDED' });
  });

  it("of others' charges in one account at Stripe is taken, and changes nothing", async () => {
    const { receive, payment } = await begin();
    // Stripe's, about a payment of the sandbox, of another app, and about none of this ledger.
    for (const about of [{}, { appId: 'app_2' }]) {
      expect(await receive(opened, { kind: 'stripe', ...about })).toBeNull();
    }
    for (const chargeKey of ['pay_1', PAYMENT.replace('1f', '2f')]) {
      expect(await receive({ ...opened, chargeKey }, { kind: 'stripe' })).toBeNull();
    }
    expect(await payment()).toMatchObject({ status: 'SUCCEEDED' });
  });

  it.each([
    ['amount', { amountMinor: '1', currency: 'USD' }],
    ['currency', { amountMinor: '999', currency: 'JPY' }],
  ])('of a charge of another %s is not believed, and is named', async (_what, told) => {
    const { receive, payment, log } = await begin([]);
    const outcome = { status: 'captured', method } as const;
    await receive({ kind: 'charge_settled', chargeKey: PAYMENT, outcome, amount: told });
    expect(await payment()).toMatchObject({ status: 'PENDING' });
    expect(log).toEqual([{ paymentId: PAYMENT, told, known: amount }]);
    await receive({ kind: 'charge_settled', chargeKey: PAYMENT, outcome, amount });
    expect(await payment()).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('that is forged, of another gateway, or for an app that has none, is believed by none', async () => {
    const { receive, payment } = await begin();
    const forged = { genuine: false, why: 'The signature does not match.' } as const;
    await expect(receive(opened, { reading: forged })).rejects.toMatchObject({
      reason: 'NOTICE_NOT_VERIFIED',
    });
    await expect(receive(opened, { kind: 'other' })).rejects.toMatchObject({
      reason: 'GATEWAY_NOT_FOUND',
    });
    await expect(receive(opened, { environment: 'production' })).rejects.toMatchObject({
      reason: 'APP_NOT_FOUND',
    });
    expect(await payment()).toMatchObject({ status: 'SUCCEEDED' });
  });
});

const CAPTURE: PaymentCommand = { kind: 'CapturePayment', method, now: NOW };
const DECLINE: PaymentCommand = {
  ...{ kind: 'DeclinePayment', method, now: NOW },
  decline: { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' },
};
const REQUEST: PaymentCommand = {
  kind: 'RequestPayment',
  charge: {
    ...{ paymentId: PAYMENT, appId: 'app_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601' },
    ...{ checkoutLinkId: '', paymentMethod: 'pm_ok', personal: {} },
    ...periodCharge({ subscriptionId: 'sub_1', amount, start: NOW, number: 2 }),
  },
  now: NOW,
};

/** A requested payment, and its events since; a gateway that signs nothing. */
async function begin(history: readonly PaymentCommand[] = [CAPTURE]) {
  const commands = createCommandExecutor(
    new MemoryEventStore() as Partial<EventStore> as EventStore,
  );
  for (const command of [REQUEST, ...history]) {
    const result = await commands.execute(paymentAggregate, PAYMENT, command, context);
    if (!result.accepted) throw new Error(result.rejection.code);
  }
  const log: object[] = [];
  return {
    log,
    receive: (notice: GatewayNotice, about: About = {}) => receiveBy(commands, log, notice, about),
    payment: async (): Promise<Payment> => (await commands.load(paymentAggregate, PAYMENT)).state,
  };
}

interface About {
  readonly appId?: string;
  readonly kind?: string;
  readonly environment?: 'test' | 'production';
  readonly reading?: { readonly genuine: false; readonly why: string };
}

function receiveBy(
  commands: ReturnType<typeof createCommandExecutor>,
  logged: object[],
  notice: GatewayNotice,
  { appId = 'app_1', kind = 'sandbox', environment = 'test', reading }: About,
) {
  const genuine = { genuine: true, notices: [notice] } as const;
  const readers: NoticeReaders = {
    of: () => ({ read: () => Promise.resolve(reading ?? genuine) }),
  };
  const apps = {
    find: () => Promise.resolve({ appId, environment }),
    now: () => Promise.resolve(NOW),
  };
  const gateways = { serves: async () => environment === 'test' };
  const log = { error: (what: object) => void logged.push(what) };
  const handler = new ReceiveNoticeHandler(
    ...([commands, apps as never, gateways as never, readers] as const),
    log as Pick<Log, 'error'>,
  );
  const received = { appId, headers: {}, body: Buffer.alloc(0) };
  return handler.execute(new ReceiveNotice({ kind, received, requestId: 'request-1' }));
}
