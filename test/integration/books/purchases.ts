import { paymentAggregate, type ChargeRequest, type PaymentCommand } from '#domain/payment';
import { type CommandExecutor, createCommandExecutor, type LedgerStore } from '#event-store';
import { newUuid } from '#platform';

const CURRENCY = 'EUR';
const CAPTURED_AT = '2026-01-15T10:00:00.000Z';

/** Payments of subscriptions, written straight into a store by the domain's own decisions, as workers write them. */
export class Purchases {
  readonly #commands: CommandExecutor;

  constructor(
    private readonly store: LedgerStore,
    private readonly environment: 'test' | 'production' = 'test',
  ) {
    this.#commands = createCommandExecutor(store, { cacheSize: 0 });
  }

  /** A month of a plan at 31.00 from the 15th of January on, with 19 percent of tax in it. */
  async buyMonth(app: string, name: string, now = CAPTURED_AT): Promise<string> {
    const paymentId = `pay_${name}`;
    await this.#execute(app, paymentId, {
      ...{ kind: 'RequestPayment', charge: makeCharge(app, paymentId, name), now },
    });
    const method = { paymentMethodSubType: '', issuerBank: '' };
    await this.#execute(app, paymentId, { kind: 'CapturePayment', method, now });
    return paymentId;
  }

  /** A part of a payment goes back. */
  async refund(app: string, paymentId: string, amountMinor: string, now: string): Promise<void> {
    const refundId = `ref_${paymentId}`;
    await this.#execute(app, paymentId, { kind: 'RequestRefund', refundId, amountMinor, now });
    await this.#execute(app, paymentId, { kind: 'ConfirmRefund', refundId, now });
  }

  /** January is closed as of a checkpoint, whatever its reports are. */
  async closeJanuary(app: string, size: number): Promise<void> {
    const metadata = {
      ...{ $correlationId: newUuid(), actor: 'operator:ann', appId: app },
      ...{ environment: this.environment, occurredAt: '2026-02-02T10:00:00.000Z' },
    };
    const data = {
      ...{ period: '2026-01', size, rules: 'rules.v1', policy: 0, reports: [], totals: [] },
      ...{ requestedBy: 'operator:ann', reason: 'Month end.', approvedBy: null },
    };
    const event = { id: newUuid(), type: 'finance.period_closed.v1', data, metadata };
    await this.store.append(`finance-${app}`, 'no_stream', [event]);
  }

  async #execute(appId: string, paymentId: string, command: PaymentCommand): Promise<void> {
    const { environment } = this;
    const about = { appId, environment, actor: 'app', correlationId: newUuid(), now: command.now };
    await this.#commands.execute(paymentAggregate, paymentId, command, about);
  }
}

function makeCharge(appId: string, paymentId: string, name: string): ChargeRequest {
  const money = (amountMinor: string) => ({ amountMinor, currency: CURRENCY });
  const [start, end] = ['2026-01-15T00:00:00.000Z', '2026-02-15T00:00:00.000Z'];
  const period = { number: 2, start, end };
  return {
    ...{ paymentId, appId, player: 'p', checkoutLinkId: '', regionCode: 'DE' },
    purpose: { kind: 'subscription_period', subscriptionId: `sub_${name}`, period, attempt: 1 },
    amount: money('3689'),
    lines: [
      {
        ...{ kind: 'recurring', amount: money('3100'), covers: { start, end } },
        origin: { planId: 'plan_1', price: money('3100'), lockedAt: start },
      },
      {
        ...{ kind: 'tax', amount: money('589'), inclusive: false },
        ...{ rate: { rate: '0.19', version: 1 }, covers: null, origin: null },
      },
    ],
    ...{ paymentMethod: '', personal: {} },
  };
}
