import { type Money, subtract, zero } from '#domain/money';
import { type Payment, paymentAggregate, sumLines } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import { type CommandExecutor, createCommandExecutor } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import {
  type BookedCharge,
  createSandboxBooks,
  type Difference,
  type GatewayBooks,
  reconcile,
} from '#gateway';
import { wallClock } from '#platform';

const EPOCH = '1970-01-01T00:00:00.000Z';

/** The rest of all charges, as the gateway's books have it. */
export interface Audit {
  readonly findings: readonly string[];
  /** In minor units: captured - refunded - lost in disputes. */
  readonly keptMinor: string;
}

/**
 * Compares the gateway's books and the ledger after all lives (rules/payments 16), and counts the money: the captured
 * amounts, less refunds and lost disputes, are the sums of the payments' lines.
 *
 * @param appIds whose payments are looked at, in a store that others use meanwhile; all where it is not given.
 */
export async function auditBooks(
  eventStoreUrl: string,
  appIds?: ReadonlySet<string>,
): Promise<Audit> {
  const store = connectEventStore(eventStoreUrl);
  try {
    await store.namespaces.require();
    const commands = createCommandExecutor(store);
    const books = createSandboxBooks({ store, commands });
    const { signal } = new AbortController();
    const differences: Difference[] = [];
    const onDifference = (difference: Difference) => void differences.push(difference);
    const about = { since: EPOCH, now: wallClock.now(), settlingMs: 0, signal, onDifference };
    await reconcile({ store, books: [books], ...about });
    const charges = await listCharges(books);
    const isLookedAt = async (paymentId: string) =>
      appIds === undefined ||
      appIds.has(await findApp(commands, paymentId, charges.get(paymentId)?.reference ?? ''));
    const findings: string[] = [];
    for (const { kind, paymentId, gateway, ledger } of differences) {
      if (await isLookedAt(paymentId)) {
        findings.push(`${kind} ${paymentId}: ${gateway}, not ${ledger}`);
      }
    }
    let keptMinor = 0n;
    for (const charge of charges.values()) {
      if (!(await isLookedAt(charge.key))) continue;
      const { state } = await commands.load(paymentAggregate, charge.key);
      const [kept, said] = [countKept(charge), countInLines(state, charge.amount)];
      keptMinor += BigInt(kept.amountMinor);
      if (kept.amountMinor === said.amountMinor) continue;
      findings.push(
        `${charge.key}: ${kept.amountMinor} is left, its lines say ${said.amountMinor}`,
      );
    }
    return { findings, keptMinor: String(keptMinor) };
  } finally {
    await store.dispose();
  }
}

/** Each charge as it is now: one that changes while books are listed comes twice. */
async function listCharges(books: GatewayBooks): Promise<ReadonlyMap<string, BookedCharge>> {
  const charges = new Map<string, BookedCharge>();
  const about = { since: EPOCH, onProgress: () => undefined, signal: new AbortController().signal };
  for await (const page of books.list(about)) {
    for (const charge of page) charges.set(charge.key, charge);
  }
  return charges;
}

/** Whose payment it is; of one that the ledger never asked for, whose subscription was charged. */
async function findApp(
  commands: CommandExecutor,
  paymentId: string,
  reference: string,
): Promise<string> {
  const { state: payment } = await commands.load(paymentAggregate, paymentId);
  if (payment.status !== 'none') return payment.appId;
  const { state: subscription } = await commands.load(subscriptionAggregate, reference);
  return subscription.status === 'none' ? '' : subscription.appId;
}

function countKept({ amount, status, refunds, disputes }: BookedCharge): Money {
  if (status !== 'captured') return zero(amount.currency);
  const lost = disputes.filter(({ won }) => won === false);
  return [...refunds, ...lost].reduce((rest, given) => subtract(rest, given.amount), amount);
}

function countInLines(payment: Payment, { currency }: Money): Money {
  if (payment.status === 'none' || payment.capturedAt === null) return zero(currency);
  return subtract(sumLines(payment.lines), payment.totalRefunded);
}
