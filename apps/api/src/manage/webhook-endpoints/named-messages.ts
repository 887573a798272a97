import { Inject, Injectable } from '@nestjs/common';
import { categoryOf, idOf, type RecordedEvent } from '#domain/event';
import type { ResentMessage } from '#domain/webhook-endpoint';
import type { EventStore } from '#event-store';
import { EVENT_STORE, Ledger } from '#nest';
import { Fault } from '#platform';
import { listMessages, neededStates, SENT_CATEGORIES } from '#webhooks';

/**
 * Messages that a caller names by their events: those that the log of an endpoint has lost, or never had
 * (rules/webhooks 13).
 */
@Injectable()
export class NamedMessages {
  constructor(
    @Inject(Ledger) private readonly ledger: Pick<Ledger, 'load'>,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
  ) {}

  /** Undefined where there is no such event of the app, or it does not give the message. @throws Fault of the store. */
  async find(appId: string, message: ResentMessage): Promise<ResentMessage | undefined> {
    const { streamName, revision, messageId } = message;
    // A caller may name any stream of the store.
    if (!SENT_CATEGORIES.includes(categoryOf(streamName))) return undefined;
    try {
      const events = this.store.readStream(streamName, { fromRevision: revision, maxCount: 1 });
      for await (const event of events) {
        if (event.metadata.appId !== appId || event.revision !== revision) return undefined;
        const ids = (await this.list(event)).map(({ id }) => id);
        return ids.includes(messageId) ? message : undefined;
      }
    } catch (error) {
      // An event that this release does not know gives no message that it could send.
      if (!(error instanceof Fault) || error.retryable) throw error;
    }
    return undefined;
  }

  private async list(event: RecordedEvent) {
    const needed = neededStates(event);
    if (needed === undefined) return [];
    const at = { toRevision: event.revision };
    const subject =
      needed.stream && (await this.ledger.load(needed.stream, idOf(event.streamName), at));
    return listMessages(event, subject?.state ?? null);
  }
}
