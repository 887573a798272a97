import { Inject, Injectable } from '@nestjs/common';
import { assertDefect } from '#platform';
import type { PersonalData } from '#tenancy';
import { EventReader } from '../feed/event-reader.js';
import { readInFlight } from '../feed/in-flight.js';
import { PERSONAL_DATA } from '../tokens.js';
import { MessagePlanner } from './message-planner.js';
import { type QueuedMessage, UNOPENED } from './queued-message.js';

/** The bodies of messages that wait, as receivers get them. */
@Injectable()
export class MessageBodies {
  constructor(
    private readonly planner: MessagePlanner,
    private readonly events: EventReader,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'openMessage'>,
  ) {}

  /**
   * Undefined where the player was erased since it was made (rules/storage 16).
   *
   * @throws Fault of the store; `undecodable` where it does not open.
   */
  open({ messageId, sealedBody, inFlight, ...owner }: QueuedMessage): Promise<string | undefined> {
    if (sealedBody === UNOPENED) return this.#render(inFlight, messageId);
    return this.personalData.openMessage(owner, messageId, sealedBody);
  }

  /** It did not open when it was planned, and is made again from its event. */
  async #render(member: string, messageId: string): Promise<string> {
    const work = readInFlight(member);
    assertDefect(work !== undefined, 'a message names its event');
    const { events, unreadable } = await this.events.readAll([work]);
    const [event] = events;
    if (event !== undefined) return this.planner.renderBody(event, messageId);
    throw unreadable[0] ?? new Error(`the event of ${messageId} is gone`);
  }
}
