import { createCommandExecutor } from '#event-store';
import { wallClock } from '#platform';
import { nameReadModel } from '#projection-engine';
import { subscriptions } from '#projections';
import {
  type ActResult,
  decideOnReadModel,
  type DescribedReadModel,
  describeReadModels,
  type ReadModelAct,
  type ReadModelLedger,
} from '#read-model-operations';
import type { BuiltLedger } from '../verification/support.js';

const DAY_MS = 86_400_000;

/** The subscriptions of this release. */
export const NAMED = { readModel: nameReadModel(subscriptions), projection: subscriptions.name };

/** The ledger as an operator's program sees it. */
export function openOperations({ store, redis }: BuiltLedger): ReadModelLedger {
  const { client, identity } = store;
  const commands = createCommandExecutor(client, { cacheSize: 0 });
  return { store: client, commands, redis, identity, projections: [subscriptions] };
}

/** An act on the subscriptions. */
export function act(ledger: ReadModelLedger, asked: ReadModelAct): Promise<ActResult> {
  return decideOnReadModel(ledger, NAMED, asked, {
    ...{ actor: 'operator:ann', reason: 'a test', now: wallClock.now(), formerKeptMs: DAY_MS },
  });
}

/** The description of one read model, that of the subscriptions unless named. */
export async function describeOne(
  ledger: ReadModelLedger,
  only = NAMED.readModel,
): Promise<DescribedReadModel> {
  const { readModels } = await describeReadModels(ledger, { formerKeptMs: DAY_MS, only });
  const [described] = readModels;
  if (described === undefined) throw new Error(`${only} is not described`);
  return described;
}

/** The states of its generations, such as `1 answering`. */
export function nameStates({ generations }: DescribedReadModel): string[] {
  return generations.map(({ generation, state }) => `${generation} ${state}`);
}
