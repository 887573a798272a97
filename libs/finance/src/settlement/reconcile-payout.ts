import { financeAggregate } from '#domain/finance';
import { idOf } from '#domain/event';
import { add, isSameMoney, type Money, money, zero } from '#domain/money';
import { findReference, paymentAggregate, type PaymentEvent } from '#domain/payment';
import { settlementAggregate, type SettlementEvent, type SettlementRow } from '#domain/settlement';
import { readLog } from '#event-store';
import { type GatewayBooks, readGatewayKind } from '#gateway';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import { findInBooks, findInLedger, isCompared, isUnexplained } from './expected-amounts.js';

const PAYOUT: SettlementRow['category'] = 'payout';

/** A row of a payout beside the amounts of ledger and gateway. */
export interface ComparedRow {
  readonly row: string;
  readonly category: string;
  readonly paymentId: string;
  /** Null where there is none. */
  readonly ledger: Money | null;
  readonly gateway: Money | null;
  readonly payout: Money;
  readonly state: 'agrees' | 'accepted' | 'open';
  /** Why it is open; empty where it is not. */
  readonly why: string;
}

/** How the rows of a payout are looked for in the log. */
interface Reading {
  readonly onProgress?: (share: number) => void;
  /** Ends it, by an error where rows are compared already. */
  readonly signal?: AbortSignal;
}

/** Finds the rows of a payout and compares each with ledger and gateway. @throws FinanceRefusal where there are none; Fault. */
export async function reconcilePayout(
  app: FinanceApp,
  books: readonly GatewayBooks[],
  payoutId: string,
  reading: Reading = {},
): Promise<readonly ComparedRow[]> {
  const { appId } = app;
  const found = (await findRows(app, new Set([payoutId]), reading)).get(payoutId);
  if (found !== undefined) return compareRows(app, books, found, reading);
  const message = `No imported row of ${appId} is of the payout ${payoutId}.`;
  throw new FinanceRefusal('PAYOUT_NOT_FOUND', message);
}

/** The rows of several payouts: all of them are found in one pass. @throws Fault. */
export async function reconcilePayouts(
  app: FinanceApp,
  books: readonly GatewayBooks[],
  payoutIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly ComparedRow[]> {
  const compared: ComparedRow[] = [];
  for (const found of (await findRows(app, payoutIds, { signal })).values()) {
    compared.push(...(await compareRows(app, books, found, { signal })));
  }
  return compared;
}

async function compareRows(
  app: FinanceApp,
  books: readonly GatewayBooks[],
  { payoutId, ids, itself }: FoundRows,
  { signal }: Reading,
): Promise<readonly ComparedRow[]> {
  const { appId, commands } = app;
  const paid: SettlementRow[] = [];
  for (const id of ids) {
    const { row } = (await commands.load(settlementAggregate, id)).state;
    if (row !== null && row.category !== PAYOUT) paid.push(row);
  }
  const { state: finance } = await commands.load(financeAggregate, appId);
  const compared: ComparedRow[] = [];
  for (const row of paid) {
    signal?.throwIfAborted();
    compared.push(await compareRow(app, books, row));
  }
  compared.push(...comparePayout(payoutId, paid, itself));
  return compared.map((row) => {
    const isAccepted = row.state === 'open' && Object.hasOwn(finance.accepted, row.row);
    return isAccepted ? { ...row, state: 'accepted' } : row;
  });
}

/** The imported rows of a payout. */
interface FoundRows {
  readonly payoutId: string;
  /** The ids of their streams. */
  readonly ids: Set<string>;
  /** The row of the payout itself. */
  itself: SettlementRow | undefined;
}

/** By the payout. */
async function findRows(
  { appId, store }: FinanceApp,
  payoutIds: ReadonlySet<string>,
  reading: Reading,
): Promise<ReadonlyMap<string, FoundRows>> {
  const found = new Map<string, FoundRows>();
  const begin = (payoutId: string) => {
    const rows = found.get(payoutId) ?? { payoutId, ids: new Set(), itself: undefined };
    found.set(payoutId, rows);
    return rows;
  };
  const categories = [settlementAggregate.category];
  for await (const { events } of readLog({ store, categories, ...reading })) {
    for (const event of events) {
      if ('undecodable' in event || event.metadata.appId !== appId) continue;
      // Only rows and their payouts are in these streams.
      const { type, data } = event as unknown as SettlementEvent;
      if (type === 'settlement.payout_noted.v1') {
        if (payoutIds.has(data.payoutId)) begin(data.payoutId).ids.add(idOf(event.streamName));
      } else if (data.category === PAYOUT && payoutIds.has(data.sourceId)) {
        begin(data.sourceId).itself = data;
      }
    }
  }
  return found;
}

async function compareRow(
  app: FinanceApp,
  books: readonly GatewayBooks[],
  row: SettlementRow,
): Promise<ComparedRow> {
  const payout = row.charged ?? money(row.grossMinor, row.currency);
  const { transactionId, category, paymentId } = row;
  const about = { row: transactionId, category, paymentId, payout };
  if (!isCompared(row)) {
    const why = isUnexplained(row) ? 'the ledger has no event for it' : '';
    return { ...about, ledger: null, gateway: null, state: why === '' ? 'agrees' : 'open', why };
  }
  const events = paymentId === '' ? [] : await readPayment(app, paymentId);
  const ledger = findInLedger(row, events) ?? null;
  const charge = await findCharge(books, events);
  const gateway = (charge === undefined ? undefined : findInBooks(row, charge)) ?? null;
  const why = explain(row, { ledger, gateway, payout });
  return { ...about, ledger, gateway, state: why === '' ? 'agrees' : 'open', why };
}

function explain(
  { category, paymentId }: SettlementRow,
  { ledger, gateway, payout }: Pick<ComparedRow, 'ledger' | 'gateway' | 'payout'>,
): string {
  if (paymentId === '') return 'it names no payment of the ledger';
  if (ledger === null) return 'the ledger does not have it';
  if (!isSameMoney(ledger, payout)) return 'the ledger has another amount';
  // A gateway's books leave out refunds that failed.
  if (category === 'refund_failure') return '';
  if (gateway === null) return "the gateway's books do not have it";
  return isSameMoney(gateway, payout) ? '' : 'the gateway has another amount';
}

async function readPayment({ store }: FinanceApp, paymentId: string): Promise<PaymentEvent[]> {
  const events: PaymentEvent[] = [];
  for await (const event of store.readStream(`${paymentAggregate.category}-${paymentId}`)) {
    // Only events of the payment are in its stream.
    events.push(event as unknown as PaymentEvent);
  }
  return events;
}

async function findCharge(books: readonly GatewayBooks[], events: readonly PaymentEvent[]) {
  const [requested] = events;
  if (requested?.type !== 'payment.requested.v3') return undefined;
  const { appId, paymentId, purpose, paymentMethod } = requested.data;
  const kind = readGatewayKind(paymentMethod);
  const own = books.find((each) => each.kind === kind && (each.appId ?? appId) === appId);
  if (own === undefined) {
    const message = `${appId} has no keys of ${kind}: its books cannot be read.`;
    throw new FinanceRefusal('GATEWAY_KEYS_MISSING', message);
  }
  return own.find({ key: paymentId, reference: findReference(purpose) });
}

/** The payout against the sum of its rows. */
function comparePayout(
  payoutId: string,
  paid: readonly SettlementRow[],
  itself: SettlementRow | undefined,
): ComparedRow[] {
  const [first] = paid;
  if (itself === undefined) {
    if (first === undefined) return [];
    const sum = sumNets(paid, first.currency);
    const about = { row: payoutId, category: PAYOUT, paymentId: '', ledger: null, gateway: null };
    return [{ ...about, payout: sum, state: 'open', why: 'its own row is not imported' }];
  }
  const { transactionId, category, currency, grossMinor } = itself;
  const ledger = sumNets(paid, currency);
  const payout = money(-BigInt(grossMinor), currency);
  const agrees = isSameMoney(ledger, payout) && paid.every((row) => row.currency === currency);
  const about = { row: transactionId, category, paymentId: '', ledger, gateway: null, payout };
  const why = agrees ? '' : 'its rows add up to another amount';
  return [{ ...about, state: agrees ? 'agrees' : 'open', why }];
}

function sumNets(rows: readonly SettlementRow[], currency: string): Money {
  return rows
    .filter((row) => row.currency === currency)
    .map(({ netMinor }) => money(netMinor, currency))
    .reduce(add, zero(currency));
}
