import { DEFAULT_DUNNING } from '#domain/dunning';
import { financeAggregate } from '#domain/finance';
import { deriveSettlementId } from '#domain/ids';
import { noTaxRates } from '#domain/pricing';
import { settlementAggregate, type SettlementRow } from '#domain/settlement';
import { subscriptionAggregate, type SubscriptionCommand } from '#domain/subscription';
import { type CommandExecutor, createCommandExecutor, type LedgerStore } from '#event-store';
import { newUuid } from '#platform';

const EUR = 'EUR';
const MONTH = { value: 1, unit: 'month' } as const;
const YEAR = { value: 1, unit: 'year' } as const;
const FEE = '100';

/** Subscriptions and a gateway's rows, written straight into a store by the domain's own decisions. */
export class MeasuredLives {
  readonly #commands: CommandExecutor;

  constructor(private readonly store: LedgerStore) {
    this.#commands = createCommandExecutor(store, { cacheSize: 0 });
  }

  /** Three are bought: for 31.00 and 10.00 a month, and 120.00 a year. The first is canceled. */
  async january(): Promise<void> {
    await this.#buy('sub_canceled', '3100', MONTH, at('01-10'));
    await this.#buy('sub_unpaid', '1000', MONTH, at('01-05'));
    await this.#buy('sub_yearly', '12000', YEAR, at('01-15'));
    await this.#act('sub_canceled', {
      ...{ kind: 'CancelSubscription', cancelAtPeriodEnd: true, now: at('01-20') },
    });
  }

  /** The canceled one ends, the renewal of the second is never paid, and the third changes to 180.00 a year. */
  async february(): Promise<void> {
    await this.#act('sub_canceled', due(at('02-10')));
    await this.#act('sub_unpaid', due(at('02-05')));
    const { state } = await this.#commands.load(subscriptionAggregate, 'sub_unpaid');
    const paymentId = state.status === 'none' ? '' : (state.pendingCharge?.paymentId ?? '');
    const decline = { reason: 'lost_or_stolen_card', declineClass: 'hard' } as const;
    await this.#act('sub_unpaid', {
      ...{ kind: 'SettleRenewal', paymentId, paymentRevision: 1, dunning: DEFAULT_DUNNING },
      ...{ outcome: { ...decline, rawDeclineCode: '' }, now: at('02-05') },
    });
    await this.#act('sub_unpaid', due(at('02-15')));
    const plan = { planId: 'plan_2', price: money('18000'), period: YEAR };
    await this.#act('sub_yearly', {
      ...{ kind: 'RequestChange', linkId: 'cl_1', attempt: 1, paymentId: 'pay_change' },
      wanted: { plan, amountMinor: null, restartsPeriod: false, unusedCredit: 'forfeit' },
      ...{ paymentMethod: '', shown: money('99999'), taxRates: noTaxRates, quotedAt: null },
      now: at('02-20'),
    });
    await this.#act('sub_yearly', {
      ...{ kind: 'SettleChange', paymentId: 'pay_change', paymentRevision: 1 },
      ...{ outcome: 'captured', now: at('02-20') },
    });
  }

  /** One for 7.00 a month is bought, and then January is closed as of a checkpoint before that. */
  async closeJanuaryLate(size: number): Promise<void> {
    await this.#buy('sub_late', '700', MONTH, at('01-25'));
    const close = { period: '2026-01', size, rules: 'rules.v1', reports: [], totals: [] };
    const data = { ...close, policy: 0, requestedBy: 'ann', reason: 'x', approvedBy: 'bob' };
    const metadata = {
      ...{ $correlationId: newUuid(), actor: 'cli', appId: 'app_1' },
      ...{ environment: 'test' as const, occurredAt: at('02-01') },
    };
    const event = { id: newUuid(), type: 'finance.period_closed.v1', data, metadata };
    await this.store.append('finance-app_1', 'any', [event]);
  }

  async ofAnotherApp(): Promise<void> {
    await this.#buy('sub_other', '999', MONTH, at('01-10'), 'app_2');
  }

  async listEventIds(subscriptionId: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of this.store.readStream(`subscription-${subscriptionId}`)) {
      ids.push(id);
    }
    return ids;
  }

  /** A charge of which the gateway keeps 1.00. */
  async importCharge(
    transactionId: string,
    about: { readonly payment: string; readonly gross: string; readonly payout: string | null },
  ): Promise<void> {
    const { payment, gross, payout } = about;
    const netMinor = String(Number(gross) - Number(FEE));
    await this.#import(
      {
        ...{ transactionId, category: 'charge', sourceId: `ch_${payment}`, paymentId: payment },
        ...{ createdAt: at('01-16'), grossMinor: gross, feeMinor: FEE, netMinor },
      },
      payout,
    );
  }

  async importPayout(
    transactionId: string,
    { payout, bank, at: day }: { readonly payout: string; readonly bank: string; at: string },
  ): Promise<void> {
    const gone = { grossMinor: `-${bank}`, feeMinor: '0', netMinor: `-${bank}` };
    const about = { transactionId, category: 'payout', sourceId: payout, paymentId: '' } as const;
    await this.#import({ ...about, ...gone, createdAt: `${day}T10:00:00.000Z` }, null);
  }

  async accept(row: string): Promise<void> {
    const command = { kind: 'AcceptDifference', row, reason: 'checked', by: 'cli' } as const;
    const context = makeContext('app_1', at('02-20'));
    await this.#commands.execute(financeAggregate, 'app_1', command, context);
  }

  async #import(row: Pick<SettlementRow, GivenField>, payoutId: string | null): Promise<void> {
    const id = deriveSettlementId('app_1', row.transactionId);
    const whole = { ...row, currency: EUR, availableOn: null, charged: null, refundId: '' };
    const command = {
      kind: 'ImportRow' as const,
      row: { ...whole, chargeId: '', paymentIntentId: '' },
      payout: payoutId === null ? null : { payoutId, effectiveOn: null },
    };
    const context = makeContext('app_1', at('02-10'));
    await this.#commands.execute(settlementAggregate, id, command, context);
  }

  async #buy(
    subscriptionId: string,
    amountMinor: string,
    period: typeof MONTH | typeof YEAR,
    now: string,
    appId = 'app_1',
  ): Promise<void> {
    const terms = {
      ...{
        subscriptionId,
        appId,
        player: 'p',
        planId: 'plan_1',
        price: money(amountMinor),
        period,
      },
      ...{ trial: null, paymentMethod: '', checkoutLinkId: '', regionCode: '', personal: {} },
    };
    const initialPayment = { paymentId: `pay_${subscriptionId}`, paymentRevision: 1 };
    await this.#act(
      subscriptionId,
      { kind: 'CreateSubscription', terms, initialPayment, now },
      appId,
    );
  }

  async #act(id: string, command: SubscriptionCommand, appId = 'app_1'): Promise<void> {
    const context = makeContext(appId, command.now);
    const result = await this.#commands.execute(subscriptionAggregate, id, command, context);
    if (!result.accepted || result.events.length === 0) throw new Error(`${command.kind} of ${id}`);
  }
}

type GivenField =
  | 'transactionId'
  | 'category'
  | 'sourceId'
  | 'paymentId'
  | 'createdAt'
  | 'grossMinor'
  | 'feeMinor'
  | 'netMinor';

const at = (day: string) => `2026-${day}T10:00:00.000Z`;
const money = (amountMinor: string) => ({ amountMinor, currency: EUR });
const due = (now: string) => ({ kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now }) as const;

function makeContext(appId: string, now: string) {
  return { appId, environment: 'test', actor: 'app', correlationId: newUuid(), now } as const;
}
