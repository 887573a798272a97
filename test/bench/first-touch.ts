/**
 * Commands on streams that their API has not read yet: with a document of the read model in the place of the stream
 * (decision 0151), and with none, so that the stream is read. Every second one has an `Idempotency-Key`. A projector
 * makes the documents before the rounds, and is stopped then: API, store, Redis and load are what is measured.
 */
import type { LedgerStore } from '#event-store';
import { createReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { progress } from './benchmark.js';
import {
  type CommandsRound,
  type CommandsSide,
  describeRound,
  measureRound,
} from './commands-side.js';
import { createSubscriptions } from './commands-tenant.js';
import { cancelEachOnce } from './http-commands.js';
import { startProgram } from './program.js';

const ROUNDS = 3;
/** Before those that count: what begins so has hardly run until then, and compilers have not seen it. */
const WARM_UP_ROUNDS = 3;
const SECONDS = 1.2;
/** More than are canceled in a round: a second cancel of one would be refused. */
const SUBSCRIPTIONS_OF_EACH = 160;
const SHOWN_LIMIT_MS = 300_000;

/** One round of each. */
export interface FirstTouch {
  readonly withDocument: CommandsRound;
  readonly withRead: CommandsRound;
}

/** @param store of the side. @returns the rounds that count. */
export async function measureFirstTouch(
  side: CommandsSide,
  store: LedgerStore,
): Promise<readonly FirstTouch[]> {
  const numbers = Array.from(
    { length: WARM_UP_ROUNDS + ROUNDS },
    (_, at) => at + 1 - WARM_UP_ROUNDS,
  );
  const { appId } = side.tenant;
  const write = () => createSubscriptions(store, appId, SUBSCRIPTIONS_OF_EACH);
  progress('first touch: writing subscriptions and their documents ...');
  const shown: string[][] = [];
  for (const _ of numbers) shown.push(await write());
  await projectAll(side, store);
  const rounds: FirstTouch[] = [];
  for (const number of numbers) {
    const withDocument = await cancel(side, shown.pop() ?? []);
    const withRead = await cancel(side, await write());
    if (number > 0) rounds.push({ withDocument, withRead });
    const both = `${describeRound(withDocument)}; where it is read ${describeRound(withRead)}`;
    progress(`first touch, round ${number}: ${both}`);
  }
  return rounds;
}

function cancel(side: CommandsSide, subscriptionIds: readonly string[]): Promise<CommandsRound> {
  const tenant = { ...side.tenant, subscriptionIds };
  return measureRound(side, () => cancelEachOnce(String(side.api.ready['url']), tenant, SECONDS));
}

/** Runs a projector until all that is in the store is in the read model. */
async function projectAll(
  { eventStoreUrl, redisUrl }: CommandsSide,
  store: LedgerStore,
): Promise<void> {
  const env = { EVENTSTOREDB_URL: eventStoreUrl, REDIS_URL: redisUrl, LOG_LEVEL: 'error' };
  const projector = await startProgram('programs/projector.js', env);
  const identity = await store.namespaces.require();
  const readModels = createReadModels({ redis: redisUrl, identity, projections: [subscriptions] });
  try {
    await readModels.waitFor(await store.headPosition(), { timeoutMs: SHOWN_LIMIT_MS });
  } finally {
    await readModels.close();
    await projector.stop();
  }
}
