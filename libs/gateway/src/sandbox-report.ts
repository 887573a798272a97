import type { Day } from '#domain/bookkeeping';
import type { Instant } from '#domain/event';
import { add, isPositive, type Money, money, prorate, subtract, zero } from '#domain/money';
import { paymentAggregate } from '#domain/payment';
import { type CommandExecutor, type EventStore, readLog } from '#event-store';
import { sandboxAccountAggregate, type SandboxEvent } from './sandbox-account.js';

/** The sandbox keeps 2.9 % and 30 cents of a charge, and 15.00 of each dispute, as card gateways do. */
const FEE_PER_MILLE = 29n;
const FEE_MINOR = 30n;
const DISPUTE_FEE_MINOR = 1_500n;

/** A row of the sandbox's account (rules/finance 32). */
export interface SandboxTransaction {
  readonly transactionId: string;
  readonly kind: 'charge' | 'refund' | 'dispute' | 'dispute_reversal' | 'payout';
  readonly sourceId: string;
  /** The key of the charge, which is the id of our payment; empty of a payout. */
  readonly chargeKey: string;
  /** The key of the refund; empty of other rows. */
  readonly refundKey: string;
  readonly at: Instant;
  readonly gross: Money;
  readonly fee: Money;
  /** Empty where it is not paid out yet. */
  readonly payoutId: string;
}

type Unpaid = Omit<SandboxTransaction, 'payoutId'>;

/** Amounts by the keys of charges, and disputes by their ids: later events name them alone. */
interface Seen {
  readonly charges: Map<string, Money>;
  readonly disputes: Map<string, { readonly chargeKey: string; readonly amount: Money }>;
}

/** The account of an app at the sandbox. @param today rows of it wait for their payout. @throws Fault `unavailable`. */
export async function listSandboxTransactions(options: {
  readonly store: Pick<EventStore, 'subscribe' | 'headPosition'>;
  readonly commands: Pick<CommandExecutor, 'load'>;
  readonly appId: string;
  readonly today: Day;
  readonly onProgress: (share: number) => void;
}): Promise<readonly SandboxTransaction[]> {
  const { store, commands, appId, today, onProgress } = options;
  const own: SandboxEvent[] = [];
  const apps = new Map<string, string>();
  const categories = [sandboxAccountAggregate.category];
  for await (const { events } of readLog({ store, categories, onProgress })) {
    for (const recorded of events) {
      if ('undecodable' in recorded || !('at' in (recorded.data as object))) continue;
      // Only the sandbox writes in its streams; a command that was noted has no instant of its own.
      const event = recorded as unknown as SandboxEvent;
      const { streamName } = recorded;
      if (event.type === 'sandbox.charged.v1' && !apps.has(streamName)) {
        // All charges of a stream are for one subscription or order.
        const { state } = await commands.load(paymentAggregate, event.data.key);
        apps.set(streamName, state.status === 'none' ? '' : state.appId);
      }
      if (apps.get(streamName) === appId) own.push(event);
    }
  }
  return listRows(own, today);
}

/**
 * The rows of these events by day of UTC and currency: those of a day that is over are paid out at its end, where
 * something is left. The same day has the same rows whenever it is asked for.
 */
export function listRows(events: readonly SandboxEvent[], today: Day): SandboxTransaction[] {
  const seen: Seen = { charges: new Map(), disputes: new Map() };
  const days = new Map<string, Unpaid[]>();
  for (const row of events.flatMap((event) => toRow(event, seen) ?? [])) {
    const name = `${row.at.slice(0, 10)}_${row.gross.currency}`;
    const ofDay = days.get(name);
    if (ofDay === undefined) days.set(name, [row]);
    else ofDay.push(row);
  }
  return [...days].flatMap(([name, rows]) => payOut(rows, name, today));
}

function toRow(event: SandboxEvent, seen: Seen): Unpaid | undefined {
  const { at } = event.data;
  switch (event.type) {
    case 'sandbox.charged.v1': {
      const { key, amount, outcome } = event.data;
      seen.charges.set(key, amount);
      return outcome === 'captured' ? chargeRow(key, at, seen) : undefined;
    }
    case 'sandbox.settled.v1':
      return chargeRow(event.data.key, at, seen);
    case 'sandbox.challenge_decided.v1':
      return event.data.outcome === 'captured' ? chargeRow(event.data.key, at, seen) : undefined;
    case 'sandbox.refunded.v1': {
      const { key, chargeKey, amount } = event.data;
      const of = { kind: 'refund', sourceId: key, chargeKey, refundKey: key, at } as const;
      const gross = negate(amount);
      return { ...of, transactionId: `txn_${key}`, gross, fee: zero(amount.currency) };
    }
    case 'sandbox.dispute_opened.v1': {
      const { disputeId, chargeKey, amount } = event.data;
      seen.disputes.set(disputeId, { chargeKey, amount });
      const fee = money(DISPUTE_FEE_MINOR, amount.currency);
      const of = {
        kind: 'dispute',
        sourceId: disputeId,
        chargeKey,
        refundKey: '',
        at,
      } as const;
      return { ...of, transactionId: `txn_${disputeId}`, gross: negate(amount), fee };
    }
    case 'sandbox.dispute_closed.v1':
      return event.data.won ? reversalRow(event.data.disputeId, at, seen) : undefined;
    case 'sandbox.challenged.v1':
      return undefined;
  }
}

function chargeRow(key: string, at: Instant, { charges }: Seen): Unpaid | undefined {
  const gross = charges.get(key);
  if (gross === undefined) return undefined;
  const fee = add(prorate(gross, FEE_PER_MILLE, 1_000n), money(FEE_MINOR, gross.currency));
  const of = { kind: 'charge', sourceId: key, chargeKey: key, refundKey: '', at } as const;
  return { ...of, transactionId: `txn_${key}`, gross, fee };
}

function reversalRow(disputeId: string, at: Instant, { disputes }: Seen): Unpaid | undefined {
  const dispute = disputes.get(disputeId);
  if (dispute === undefined) return undefined;
  const { chargeKey, amount: gross } = dispute;
  return {
    ...{ kind: 'dispute_reversal', sourceId: disputeId, chargeKey, refundKey: '', at },
    ...{ transactionId: `txn_${disputeId}_reversal`, gross, fee: zero(gross.currency) },
  };
}

/** The rows of a day in one currency, with their payout. */
function payOut(rows: readonly Unpaid[], name: string, today: Day): SandboxTransaction[] {
  const [day = '', currency = ''] = name.split('_');
  const net = rows.map(({ gross, fee }) => subtract(gross, fee)).reduce(add, zero(currency));
  const isPaid = day < today && isPositive(net);
  const payoutId = isPaid ? `po_${name.toLowerCase().replaceAll('-', '')}` : '';
  const paid = rows.map((row) => ({ ...row, payoutId }));
  if (!isPaid) return paid;
  const payout: SandboxTransaction = {
    ...{ transactionId: `txn_${payoutId}`, kind: 'payout', sourceId: payoutId },
    ...{ chargeKey: '', refundKey: '', at: `${day}T23:59:59.000Z` },
    ...{ gross: negate(net), fee: zero(currency), payoutId: '' },
  };
  return [...paid, payout];
}

function negate(amount: Money): Money {
  return subtract(zero(amount.currency), amount);
}
