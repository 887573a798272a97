import { Inject, Injectable } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import type { PersonalOwner } from '#domain/personal-data';
import { type NotedPayment, type Payment, paymentAggregate } from '#domain/payment';
import { StatesAtRevision } from '#event-store';
import { assertDefect, Fault } from '#platform';
import { type PersonalData, type PlayerAccess, showNothing } from '#tenancy';
import {
  listOwners,
  neededStates,
  type PlannedMessage,
  planMessages,
  renderImpersonalMessage,
  type WebhookMessage,
} from '#webhooks';
import { PERSONAL_DATA } from '../../tokens.js';

/** A message for an app, with the event that it is about. It waits closed, as its texts do. */
export interface OutgoingMessage extends Omit<WebhookMessage, 'body'> {
  /** The pseudonym of the player whom it is about; empty where it is about none. */
  readonly player: string;
  readonly event: RecordedEvent;
  /**
   * The body as receivers get it, by one look at the player; undefined where the player was erased since the event,
   * whenever the message was made (rules/storage 16).
   *
   * @throws Fault of the store; `undecodable` where it does not open.
   */
  readonly open: () => Promise<string | undefined>;
}

/** The states that the messages of an event are rendered from. */
interface Subject {
  readonly state: unknown;
  readonly payment: Payment | null;
  /** Undefined where the event gives no message: each is about a purchase of a player. */
  readonly owner: PersonalOwner | undefined;
  /** Whether the subject is of the event's app, and of one player. */
  readonly isOfOne: boolean;
}

/**
 * Plans the messages of an event, from the states that its rows of the catalogue name. They wait closed, and are
 * rendered when they are sent (decision 0028): nothing is sealed for the wait, and the player is looked at once.
 */
@Injectable()
export class MessagePlanner {
  constructor(
    private readonly states: StatesAtRevision,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'access'>,
  ) {}

  /**
   * None for an event that is not sent. Texts that do not open, as without their master key, are left to the delivery:
   * the webhook alone waits for them, and not the other consequences of the event.
   *
   * @throws Fault of the store.
   */
  async plan(event: RecordedEvent): Promise<OutgoingMessage[]> {
    const impersonal = renderImpersonalMessage(event);
    if (impersonal !== undefined) {
      const { body, ...message } = impersonal;
      return [{ ...message, event, player: '', open: async () => body }];
    }
    const subject = await this.#load(event);
    if (subject === undefined) return [];
    const planned = planMessages(event, subject.state);
    const { owner } = subject;
    assertDefect(
      owner !== undefined || planned.length === 0,
      'a message is about a purchase of a player',
    );
    if (owner === undefined) return [];
    const wait = new MessageWait(subject, owner, this.personalData);
    return planned.map(({ render, ...message }) => ({
      ...message,
      ...{ event, player: owner.player, open: () => wait.open(event, render) },
    }));
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

  #loadNoted({ paymentId, paymentRevision }: NotedPayment): Promise<Payment> {
    return this.states.stateAtRevision(paymentAggregate, paymentId, paymentRevision);
  }
}

/** The messages of an event while they wait: their texts are closed until then. */
class MessageWait {
  /** Whether one of them was rendered for a player who is erased: none shows one who came back since. */
  #isErased = false;

  constructor(
    private readonly subject: Subject,
    private readonly owner: PersonalOwner,
    private readonly personalData: Pick<PersonalData, 'access'>,
  ) {}

  /** See `OutgoingMessage`. Rendering waits for nothing, and goes by one look at the player. */
  async open(event: RecordedEvent, render: PlannedMessage['render']): Promise<string | undefined> {
    const access = await this.#access();
    if (access.wasErasedAfter(event.position)) return undefined;
    this.#isErased ||= access.isErased;
    const open = this.#isErased ? showNothing : access.open;
    return render({ payment: this.subject.payment, open });
  }

  /** Endpoints are chosen by the event's app: another app's texts are opened for none of them. */
  #access(): PlayerAccess | Promise<PlayerAccess> {
    if (this.subject.isOfOne) return this.personalData.access(this.owner);
    const message = 'an event leads to a purchase of another app or player';
    throw new Fault('undecodable', message, { retryable: false });
  }
}
