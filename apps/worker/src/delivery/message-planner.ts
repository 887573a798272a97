import { Injectable } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import { type NotedPayment, type Payment, paymentAggregate } from '#domain/payment';
import { neededStates, renderMessages } from '#webhooks';
import { StateAtRevisionCache } from '../feed/state-at-revision-cache.js';
import type { OutgoingMessage } from './outgoing-message.js';

/** Renders the messages of an event, from the states that its rows of the catalogue name. */
@Injectable()
export class MessagePlanner {
  constructor(private readonly states: StateAtRevisionCache) {}

  /** None for an event that is not sent. @throws Fault of the store. */
  async plan(event: RecordedEvent): Promise<OutgoingMessage[]> {
    const needed = neededStates(event);
    if (needed === undefined) return [];
    const { stream, payment: noted } = needed;
    const state = stream === null ? null : await this.states.stateAt(stream, event);
    const payment = noted === null ? null : await this.#loadNoted(noted);
    return renderMessages(event, { state, payment }).map((message) => ({ ...message, event }));
  }

  #loadNoted({ paymentId, paymentRevision }: NotedPayment): Promise<Payment> {
    return this.states.stateAtRevision(paymentAggregate, paymentId, paymentRevision);
  }
}
