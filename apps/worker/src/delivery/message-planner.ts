import { Inject, Injectable } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import type { OpenedPersonalData, PersonalOwner } from '#domain/personal-data';
import { type NotedPayment, type Payment, paymentAggregate } from '#domain/payment';
import { assertDefect } from '#platform';
import type { PersonalData } from '#tenancy';
import { neededStates, renderMessages, type WebhookMessage } from '#webhooks';
import { StateAtRevisionCache } from '../feed/state-at-revision-cache.js';
import { PERSONAL_DATA } from '../tokens.js';
import type { OutgoingMessage } from './outgoing-message.js';

/** Renders the messages of an event, from the states that its rows of the catalogue name. */
@Injectable()
export class MessagePlanner {
  constructor(
    private readonly states: StateAtRevisionCache,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  /** None for an event that is not sent. @throws Fault of the store. */
  async plan(event: RecordedEvent): Promise<OutgoingMessage[]> {
    const needed = neededStates(event);
    if (needed === undefined) return [];
    const { stream, payment: noted } = needed;
    const state = stream === null ? null : await this.states.stateAt(stream, event);
    const payment = noted === null ? null : await this.#loadNoted(noted);
    const owners = [state, payment].filter(isOwner);
    const opened = await this.#openAll(owners);
    const open = (owner: PersonalOwner) => {
      const found = opened.get(owner);
      assertDefect(found !== undefined, 'what is rendered was opened before');
      return found;
    };
    const messages = renderMessages(event, { state, payment, open });
    return Promise.all(messages.map((message) => this.#seal(message, event, owners[0])));
  }

  /** What is shown of the player is opened before, since rendering waits for nothing. */
  async #openAll(
    owners: readonly PersonalOwner[],
  ): Promise<ReadonlyMap<PersonalOwner, OpenedPersonalData>> {
    const opened = new Map<PersonalOwner, OpenedPersonalData>();
    for (const owner of owners) opened.set(owner, await this.personalData.open(owner));
    return opened;
  }

  /** A message waits in Redis, where nothing of a player is to be read (rules/storage 15). */
  async #seal(
    { body, ...message }: WebhookMessage,
    event: RecordedEvent,
    owner: PersonalOwner | undefined,
  ): Promise<OutgoingMessage> {
    assertDefect(owner !== undefined, 'a message is about a purchase of a player');
    const sealedBody = await this.personalData.sealMessage(owner, message.id, body);
    return { ...message, player: owner.player, sealedBody, event };
  }

  #loadNoted({ paymentId, paymentRevision }: NotedPayment): Promise<Payment> {
    return this.states.stateAtRevision(paymentAggregate, paymentId, paymentRevision);
  }
}

/** Subscriptions and payments that began have an owner; the states of other streams have none. */
function isOwner(state: unknown): state is PersonalOwner {
  return typeof state === 'object' && state !== null && 'personal' in state;
}
