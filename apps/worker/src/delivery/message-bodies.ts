import { Inject, Injectable } from '@nestjs/common';
import { assertDefect } from '#platform';
import type { PersonalData } from '#tenancy';
import { EventReader } from '../feed/event-reader.js';
import { type InFlight, readInFlight } from '../feed/in-flight.js';
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
   * Undefined where the player was erased since its event, whenever it was made (rules/storage 16): what a loss of
   * Redis let be made anew is older than the erasure all the same.
   *
   * @throws Fault of the store; `undecodable` where it does not open.
   */
  async open({
    messageId,
    sealedBody: sealed,
    inFlight,
    ...owner
  }: QueuedMessage): Promise<string | undefined> {
    const work = readInFlight(inFlight);
    assertDefect(work !== undefined, 'a message names its event');
    if (sealed === UNOPENED) return this.#render(work, messageId);
    const { position } = work;
    return this.personalData.openMessage(owner, { messageId, position, sealed });
  }

  /** It did not open when it was planned, and is made again from its event. */
  async #render(work: InFlight, messageId: string): Promise<string | undefined> {
    const { events, unreadable } = await this.events.readAll([work]);
    const [event] = events;
    if (event !== undefined) return this.planner.renderBody(event, messageId);
    throw unreadable[0] ?? new Error(`the event of ${messageId} is gone`);
  }
}
