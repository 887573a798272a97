import { endpointListAggregate } from '#domain/endpoint-list';
import { idOf, type Instant, type Position } from '#domain/event';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import type { CommandExecutor, LedgerStore } from '#event-store';
import { type RunningEndpoint, toRunning, wantsMessage } from '#tenancy';
import { listMessages, neededStates } from '#webhooks';
import type { Backup } from '#worker-state';
import type { Purchases } from './purchases.js';

interface OwedOptions {
  readonly store: Pick<LedgerStore, 'readStream'>;
  readonly commands: Pick<CommandExecutor, 'load'>;
  readonly appId: string;
  readonly purchases: Pick<Purchases, 'sentStreams'>;
}

interface Message {
  readonly position: Position;
  readonly occurredAt: Instant;
  readonly type: string;
}

/**
 * The messages about a player's purchases that backlogged endpoints still wait for (rules/webhooks 8): no delivery of them
 * has begun, and the store is read again for them.
 */
export class OwedMessages {
  /** Nothing is added to the purchases while they are waited for. */
  #messages: Promise<readonly Message[]> | undefined;

  constructor(private readonly options: OwedOptions) {}

  /**
   * How many deliveries these are.
   *
   * @param cursors after which position the store is read again. @throws Fault.
   */
  async count(cursors: Backup['cursors']): Promise<number> {
    if (cursors.length === 0) return 0;
    const endpoints = await this.#listEndpoints();
    const backlogged = cursors.flatMap(({ endpointId, after }) => {
      const endpoint = endpoints.find((each) => each.endpointId === endpointId);
      return endpoint === undefined ? [] : [{ endpoint, after }];
    });
    if (backlogged.length === 0) return 0;
    this.#messages ??= this.#listMessages();
    const messages = await this.#messages;
    const owed = backlogged.flatMap(({ endpoint, after }) =>
      messages.filter(
        ({ position, type, occurredAt }) =>
          position > after && wantsMessage(endpoint, type, occurredAt),
      ),
    );
    return owed.length;
  }

  async #listEndpoints(): Promise<RunningEndpoint[]> {
    const { commands, appId } = this.options;
    const { state: list } = await commands.load(endpointListAggregate, appId);
    const endpoints = await Promise.all(
      list.endpointIds.map(async (id) => (await commands.load(webhookEndpointAggregate, id)).state),
    );
    return endpoints.flatMap((endpoint) => toRunning(endpoint) ?? []);
  }

  async #listMessages(): Promise<Message[]> {
    const { store, commands, purchases } = this.options;
    const messages: Message[] = [];
    for (const streamName of purchases.sentStreams) {
      for await (const event of store.readStream(streamName)) {
        const needed = neededStates(event);
        if (needed === undefined) continue;
        const { position, revision: toRevision } = event;
        const { occurredAt } = event.metadata;
        const { stream } = needed;
        const loaded = stream && (await commands.load(stream, idOf(streamName), { toRevision }));
        const found = listMessages(event, loaded?.state ?? null);
        messages.push(...found.map(({ type }) => ({ position, occurredAt, type })));
      }
    }
    return messages;
  }
}
