import { Inject, Injectable } from '@nestjs/common';
import { idOf, type RecordedEvent } from '#domain/event';
import { type Payment, paymentAggregate } from '#domain/payment';
import type { EventStore } from '#event-store';
import { EVENT_STORE, Ledger } from '#nest';
import { Fault } from '#platform';
import type { PersonalData } from '#tenancy';
import {
  listOwners,
  type NeededStates,
  neededStates,
  renderImpersonalMessage,
  renderMessages,
} from '#webhooks';
import type { LoggedDelivery } from '#worker-state';
import { PERSONAL_DATA } from '../../tokens.js';

/** The bodies of messages, which are kept nowhere: rendered again from their events (rules/webhooks 1). */
@Injectable()
export class MessageBodies {
  constructor(
    private readonly ledger: Ledger,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'access'>,
  ) {}

  /**
   * Null where its player was erased since, or something of it does not open.
   *
   * @throws Fault of the store.
   */
  async render({
    streamName,
    revision,
    messageId,
  }: Pick<LoggedDelivery, 'streamName' | 'revision' | 'messageId'>): Promise<string | null> {
    const events = this.store.readStream(streamName, { fromRevision: revision, maxCount: 1 });
    try {
      for await (const event of events) return (await this.renderFor(event, messageId)) ?? null;
    } catch (error) {
      if (!(error instanceof Fault) || error.retryable) throw error;
    }
    return null;
  }

  private async renderFor(event: RecordedEvent, messageId: string): Promise<string | undefined> {
    const impersonal = renderImpersonalMessage(event);
    if (impersonal !== undefined) return impersonal.body;
    const needed = neededStates(event);
    if (needed === undefined) return undefined;
    const { state, payment } = await this.load(event, needed);
    const { appId } = event.metadata;
    const [owner] = listOwners(event, { state, payment });
    if (owner?.appId !== appId) return undefined;
    const access = await this.personalData.access(owner);
    if (access.wasErasedAfter(event.position)) return undefined;
    const messages = renderMessages(event, { state, payment, open: (each) => access.open(each) });
    return messages.find(({ id }) => id === messageId)?.body;
  }

  private async load(event: RecordedEvent, { stream, payment: noted }: NeededStates) {
    const at = { toRevision: event.revision };
    const subject = stream && (await this.ledger.load(stream, idOf(event.streamName), at));
    return { state: subject?.state ?? null, payment: noted && (await this.loadPayment(noted)) };
  }

  private async loadPayment({
    paymentId,
    paymentRevision: toRevision,
  }: NonNullable<NeededStates['payment']>): Promise<Payment> {
    return (await this.ledger.load(paymentAggregate, paymentId, { toRevision })).state;
  }
}
