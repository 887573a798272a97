import process from 'node:process';
import { EVENT_TYPES } from '#domain/event-types';
import { createCommandExecutor, type LedgerStore } from '#event-store';
import { Fault } from '#platform';
import { connectForReading } from '#projection-engine';
import { projections } from '#projections';
import {
  findReadModelNamed,
  type NamedReadModel,
  type ReadModelLedger,
} from '#read-model-operations';
import { CliError } from '../cli-error.js';
import { findFormerKeptMs, findRedisUrl } from '../data-dir.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

/** A ledger with all of its store: a verification reads streams, too. */
export interface OpenedLedger extends ReadModelLedger {
  readonly store: LedgerStore;
}

/** A command that goes to the event store and to Redis: acts are events, and documents are in Redis. */
export abstract class ReadModelsCommand extends StoreCommand {
  /** With the types that this release knows, an act of a newer one stands out. */
  protected override readonly knownTypes = EVENT_TYPES;

  /** @throws CliError; Fault of the store or of Redis. */
  protected withReadModels(
    options: StoreCommandOptions,
    work: (ledger: OpenedLedger) => Promise<void>,
  ): Promise<void> {
    const url = findRedisUrl(options, process.env);
    return this.withStore(options, async (store) => {
      const identity = await store.namespaces.require();
      const redis = connectForReading(url);
      try {
        // Nothing is kept: others act meanwhile.
        const commands = createCommandExecutor(store, { cacheSize: 0 });
        await work({ store, commands, redis, identity, projections });
      } finally {
        redis.disconnect();
      }
    });
  }

  /** FORMER_READ_MODEL_HOURS, as projectors have it. @throws CliError for a bad one. */
  protected get formerKeptMs(): number {
    return findFormerKeptMs(process.env);
  }
}

/** The read model of a name. @throws CliError with the names that there are; Fault of Redis. */
export async function requireReadModel(
  ledger: ReadModelLedger,
  name: string,
): Promise<NamedReadModel> {
  const found = await findReadModelNamed(ledger, name);
  if (found.kind === 'found') return found.named;
  throw new CliError(found.sentence, 'refused', [], 'READ_MODEL_NOT_FOUND');
}

/** A read model that this release builds. @throws CliError of another one; as `requireReadModel`. */
export async function requireOwnReadModel(
  ledger: ReadModelLedger,
  name: string,
): Promise<NamedReadModel & { readonly ofThisRelease: object }> {
  const named = await requireReadModel(ledger, name);
  const { ofThisRelease, readModel } = named;
  if (ofThisRelease !== undefined) return { ...named, ofThisRelease };
  const message = `${readModel} is of another release, whose own command line alone acts on it and verifies it.`;
  throw new CliError(message, 'refused', [], 'READ_MODEL_OF_ANOTHER_RELEASE');
}

/** An act of a newer release stands in the stream: this one cannot decide beside it. */
export function refuseUnreadable(error: unknown): never {
  if (!(error instanceof Fault) || error.code !== 'undecodable') throw error;
  const message =
    'A newer release has acted on this projection in a way that this one cannot read: use its command line.';
  throw new CliError(message, 'refused', [], 'ACTS_UNREADABLE');
}
