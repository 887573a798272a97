import { idOf, type Position } from '#domain/event';
import { type CommandExecutor, type EventStore, readLog } from '#event-store';
import type { BookedCharge, BooksQuery, GatewayBooks } from './gateway-books.js';
import {
  type SandboxAccount,
  sandboxAccountAggregate,
  type SandboxEvent,
} from './sandbox-account.js';

/** The sandbox's books are its streams in the event store: each account that has changed is folded anew. */
export function createSandboxBooks(options: {
  readonly store: Pick<EventStore, 'subscribe' | 'headPosition'>;
  readonly commands: Pick<CommandExecutor, 'load'>;
  /** Earlier entries are not listed; all are where it is omitted. */
  readonly after?: Position | undefined;
}): GatewayBooks {
  const { store, commands, after } = options;
  const load = async (reference: string) =>
    (await commands.load(sandboxAccountAggregate, reference)).state;
  return {
    kind: 'sandbox',
    async *list(query) {
      for (const reference of await listChanged(store, query, after)) {
        const booked = bookCharges(await load(reference), reference);
        yield booked.filter(({ changedAt }) => changedAt >= query.since);
      }
    },
    find: async ({ key, reference }) =>
      bookCharges(await load(reference), reference).find((charge) => charge.key === key),
  };
}

async function listChanged(
  store: Pick<EventStore, 'subscribe' | 'headPosition'>,
  { since, ...query }: BooksQuery,
  after: Position | undefined,
): Promise<Set<string>> {
  const changed = new Set<string>();
  const categories = [sandboxAccountAggregate.category];
  for await (const { events } of readLog({ store, categories, after, ...query })) {
    for (const event of events) {
      if ('undecodable' in event || !('at' in (event.data as object))) continue;
      // Only the sandbox writes in its streams; a command that was noted has no instant of its own.
      const { at } = event.data as SandboxEvent['data'];
      if (at >= since) changed.add(idOf(event.streamName));
    }
  }
  return changed;
}

function bookCharges(account: SandboxAccount, reference: string): BookedCharge[] {
  return Object.values(account.charges).map(({ key, amount, outcome, at, settledAt = at }) => {
    const isAboutIt = ({ chargeKey }: { readonly chargeKey: string }) => chargeKey === key;
    const refunds = Object.values(account.refunds).filter(isAboutIt);
    const disputes = Object.values(account.disputes).filter(isAboutIt);
    const closings = disputes.flatMap(({ closedAt }) => closedAt ?? []);
    const times = [...[...refunds, ...disputes].map((one) => one.at), ...closings];
    return {
      ...{ key, reference, amount, refunds, disputes },
      status: typeof outcome === 'string' ? outcome : 'declined',
      changedAt: times.reduce((last, one) => (one > last ? one : last), settledAt),
    };
  });
}
