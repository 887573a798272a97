/** What commands begin with on streams that memory does not have: documents of the read models (decision 0151). */
import { subscriptionAggregate } from '#domain/subscription';
import type { FindDocument } from '#event-store';
import { type Log, warnSeldom, withTimeLimit } from '#platform';
import { mayHoldCommand, type ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';

/** A document is there in less than one. Who has waited so long reads the stream, which takes as few. */
const LOOK_LIMIT_MS = 50;
/** After a look that failed: what is out of reach, or being built, is not waited for by each command. */
const LOOK_AGAIN_AFTER_MS = 500;

/**
 * Finds documents of subscriptions, in Redis. Those of another ledger, also of this one before it was restored, lie
 * under other keys (decision 0090).
 *
 * @param limitMs how long a document is waited for.
 */
export function openStreamDocuments(
  readModels: Pick<ReadModels, 'ask'>,
  log: Log,
  limitMs = LOOK_LIMIT_MS,
): FindDocument {
  const documents = readModels.ask(subscriptions);
  let lookAgainAtMs = 0;
  return async (category, id) => {
    if (category !== subscriptionAggregate.category) return undefined;
    if (performance.now() < lookAgainAtMs) return undefined;
    try {
      const document = await withTimeLimit(documents.byId(id), limitMs, 'Redis');
      if (document?.commands === undefined) return undefined;
      const { state, revision, commands } = document;
      const mayHold = (commandId: string) => mayHoldCommand(commands, commandId);
      return { state, revision, lastOccurredAt: commands.lastOccurredAt, commands: { mayHold } };
    } catch (error) {
      lookAgainAtMs = performance.now() + LOOK_AGAIN_AFTER_MS;
      warnSeldom(log, error, 'commands read their streams, since no document could be asked for');
      return undefined;
    }
  };
}
