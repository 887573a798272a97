import { Inject, Injectable } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import type { PersonalOwner } from '#domain/personal-data';
import { type NotedPayment, type Payment, paymentAggregate } from '#domain/payment';
import { assertDefect, Fault } from '#platform';
import type { PersonalData, PlayerAccess } from '#tenancy';
import {
  listOwners,
  neededStates,
  renderMessages,
  renderTestMessage,
  type WebhookMessage,
} from '#webhooks';
import { StateAtRevisionCache } from '../feed/state-at-revision-cache.js';
import { PERSONAL_DATA } from '../tokens.js';
import { type OutgoingMessage, UNOPENED } from './outgoing-message.js';

/** What the messages of an event are rendered from. */
interface Subject {
  readonly state: unknown;
  readonly payment: Payment | null;
  /** Undefined where the event gives no message: each is about a purchase of a player. */
  readonly owner: PersonalOwner | undefined;
  /** Whether what it is about is of the event's app, and of one player. */
  readonly isOfOne: boolean;
}

/** Renders the messages of an event, from the states that its rows of the catalogue name. */
@Injectable()
export class MessagePlanner {
  constructor(
    private readonly states: StateAtRevisionCache,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'access'>,
  ) {}

  /**
   * None for an event that is not sent. What does not open, as without its master key, is left to the delivery:
   * the webhook alone waits for it, and not what follows from the event beside.
   *
   * @throws Fault of the store.
   */
  async plan(event: RecordedEvent): Promise<OutgoingMessage[]> {
    const test = renderTestMessage(event);
    // It is of no player, under whose key it could wait.
    if (test !== undefined) return [toSend(test, { event, player: '', sealedBody: UNOPENED })];
    const subject = await this.#load(event);
    if (subject === undefined) return [];
    const { owner } = subject;
    if (owner === undefined) {
      const messages = renderWith(event, subject, NOTHING_OPENED);
      assertDefect(messages.length === 0, 'a message is about a purchase of a player');
      return [];
    }
    const { player } = owner;
    try {
      const access = await this.#access(subject, owner);
      // It waits in Redis, where nothing of a player is to be read (rules/storage 15).
      return renderWith(event, subject, access).map((message) =>
        toSend(message, {
          ...{ event, player },
          sealedBody: access.sealMessage(message.id, message.body),
        }),
      );
    } catch (error) {
      if (!isUnopenable(error)) throw error;
      return renderWith(event, subject, NOTHING_OPENED).map((each) =>
        toSend(each, { event, player, sealedBody: UNOPENED }),
      );
    }
  }

  /**
   * The body of a message that was planned when it did not open; undefined where its player was erased since.
   *
   * @throws Fault of the store; `undecodable`.
   */
  async renderBody(event: RecordedEvent, messageId: string): Promise<string | undefined> {
    const test = renderTestMessage(event);
    if (test !== undefined) return test.body;
    const subject = await this.#load(event);
    assertDefect(subject?.owner !== undefined, 'a message is about a purchase of a player');
    const access = await this.#access(subject, subject.owner);
    if (access.wasErasedAfter(event.position)) return undefined;
    const found = renderWith(event, subject, access).find(({ id }) => id === messageId);
    assertDefect(found !== undefined, 'an event gives the same messages each time');
    return found.body;
  }

  async #load(event: RecordedEvent): Promise<Subject | undefined> {
    const needed = neededStates(event);
    if (needed === undefined) return undefined;
    const { stream, payment: noted } = needed;
    const state = stream === null ? null : await this.states.stateAt(stream, event);
    const payment = noted === null ? null : await this.#loadNoted(noted);
    const owners = listOwners(event, { state, payment });
    const [owner] = owners;
    const { appId } = event.metadata;
    const isOfOne = owners.every((each) => each.appId === appId && each.player === owner?.player);
    return { state, payment, owner, isOfOne };
  }

  /** Endpoints are chosen by the event's app: what is another app's is opened for none of them. */
  async #access({ isOfOne }: Subject, owner: PersonalOwner): Promise<PlayerAccess> {
    if (isOfOne) return this.personalData.access(owner);
    const message = 'an event leads to a purchase of another app or player';
    throw new Fault('undecodable', message, { retryable: false });
  }

  #loadNoted({ paymentId, paymentRevision }: NotedPayment): Promise<Payment> {
    return this.states.stateAtRevision(paymentAggregate, paymentId, paymentRevision);
  }
}

/** For what a message is beside its body. */
const NOTHING_OPENED: Pick<PlayerAccess, 'open'> = { open: () => ({ accountId: '' }) };

function toSend(
  { body: _, ...message }: WebhookMessage,
  more: Pick<OutgoingMessage, 'event' | 'player' | 'sealedBody'>,
): OutgoingMessage {
  return { ...message, ...more };
}

/** Rendering waits for nothing, and goes by one look at the player. */
function renderWith(
  event: RecordedEvent,
  { state, payment }: Subject,
  access: Pick<PlayerAccess, 'open'>,
): WebhookMessage[] {
  return renderMessages(event, { state, payment, open: (owner) => access.open(owner) });
}

function isUnopenable(error: unknown): boolean {
  return error instanceof Fault && error.code === 'undecodable';
}
