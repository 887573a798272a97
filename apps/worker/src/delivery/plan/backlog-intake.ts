import { Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import type { EventBatch, FeedItem } from '#event-store';
import type { RunningEndpoint } from '#tenancy';
import { type CursorMoves, CursorSet } from '../../redis/cursor-set.js';
import { ParkingGate } from '../../feed/parking-gate.js';
import { PartitionFeed } from '../../feed/partition-feed.js';
import { DeliveryIntake } from '../queue/delivery-intake.js';
import { InFlightLimit, findConcerned, type BacklogShare } from './in-flight-limit.js';
import { asksForResend, isOfEndpoint } from '../queue/queued-delivery.js';
import { OutgoingMessages } from '../send/outgoing-messages.js';

/** One reading of the store for backlogged endpoints. */
export interface BacklogPass {
  /** Those that are read for and have room, by their ids. */
  readonly endpoints: Map<string, RunningEndpoint>;
  /** Of the cursors that it goes by. */
  readonly loads: number;
  /** Where cursors are to be moved that Redis need not know yet: nothing began for these endpoints. */
  readonly unmoved: Map<string, Position>;
}

/** Begins messages that were read again for backlogged endpoints, and moves their cursors. */
@Injectable()
export class BacklogIntake {
  constructor(
    private readonly cursors: CursorSet,
    private readonly inFlight: InFlightLimit,
    private readonly messages: OutgoingMessages,
    private readonly intake: DeliveryIntake,
    private readonly feed: PartitionFeed,
    private readonly gate: ParkingGate,
  ) {}

  /** The feed itself gives all later events. */
  get until(): Position {
    return this.feed.position;
  }

  /**
   * Takes a batch of a pass.
   *
   * @returns the endpoints that wait for a message that cannot be made; undefined where the pass is to end, since its
   *   basis has changed. @throws Fault of the store or of Redis; Fenced.
   */
  async take(
    pass: BacklogPass,
    { events, upTo }: EventBatch,
  ): Promise<readonly string[] | undefined> {
    const own = listOwn(pass, events);
    // Events that a parked stream holds back are begun when the stream goes on.
    const left = new Set(own.filter((event) => this.gate.isBegunLater(event)));
    const planned = await this.messages.planAllAgain(own.filter((event) => !left.has(event)));
    return this.feed.exclusively(async () => {
      if (!this.#isStillSo(pass, own, left)) return undefined;
      const share = this.inFlight.catchUp(planned, pass.endpoints, upTo);
      await this.intake.begin(share.begin);
      await this.#move(pass, share, left.size > 0);
      return share.heldUp;
    });
  }

  /** Notes how far a pass came, which is not to be read again. @throws Fault of Redis; Fenced. */
  async end(pass: BacklogPass): Promise<void> {
    if (pass.unmoved.size === 0) return;
    await this.feed.exclusively(async () => {
      if (pass.loads === this.cursors.loads) await this.cursors.move(this.#withoutCaughtUp(pass));
    });
  }

  /**
   * Cursors that were loaded anew may stand further back: the events between were lost with Redis. A stream that went
   * on meanwhile has left to this pass the events behind the cursors, and the pass had left them to the stream; the
   * same with one that was parked.
   */
  #isStillSo(
    { loads }: BacklogPass,
    own: readonly FeedItem[],
    left: ReadonlySet<FeedItem>,
  ): boolean {
    if (loads !== this.cursors.loads) return false;
    return own.every((event) => this.gate.isBegunLater(event) === left.has(event));
  }

  /**
   * Cursors that pass over events that a stream will begin stand behind them at once, since the stream goes by them. So
   * do those of begun messages, which else would begin again after a crash. All others are moved now and then: for
   * hundreds of endpoints, each batch would be as many lines of the backup.
   */
  async #move(pass: BacklogPass, { begin, moves }: BacklogShare, hasLeft: boolean): Promise<void> {
    const begun = new Set(begin.map(([{ target }]) => target));
    for (const [endpointId, after] of moves) if (after) pass.unmoved.set(endpointId, after);
    if (!hasLeft && begun.size === 0) return;
    const due = [...pass.unmoved].filter(([endpointId]) => hasLeft || begun.has(endpointId));
    await this.cursors.move(this.#withoutCaughtUp({ unmoved: new Map(due) }));
    for (const [endpointId] of due) pass.unmoved.delete(endpointId);
  }

  /** Where the feed has not been, it gives everything itself. */
  #withoutCaughtUp({ unmoved }: Pick<BacklogPass, 'unmoved'>): CursorMoves {
    const position = this.until;
    return new Map([...unmoved].map(([id, after]) => [id, after >= position ? null : after]));
  }
}

/** The events about the endpoints of a pass. Of their own events, resends alone wait for room. */
function listOwn({ endpoints }: BacklogPass, events: readonly FeedItem[]): readonly FeedItem[] {
  const about = new Set<string | undefined>([undefined]);
  for (const [endpointId, { appId }] of endpoints) about.add(endpointId).add(appId);
  return events.filter((event) => {
    const isOther = !('undecodable' in event) && isOfEndpoint(event) && !asksForResend(event);
    return !isOther && about.has(findConcerned(event));
  });
}
