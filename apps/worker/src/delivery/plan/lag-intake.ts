import { Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import type { EventBatch, FeedItem } from '#event-store';
import type { RunningEndpoint } from '#tenancy';
import { type CursorMoves, CursorSet } from '../../redis/cursor-set.js';
import { ParkingGate } from '../../feed/parking-gate.js';
import { PartitionFeed } from '../../feed/partition-feed.js';
import { DeliveryIntake } from '../queue/delivery-intake.js';
import { DeliveryWindow, findConcerned, type LagShare } from './delivery-window.js';
import { asksForResend, isOfEndpoint } from '../queue/queued-delivery.js';
import { OutgoingMessages } from '../send/outgoing-messages.js';

/** One reading of the store for endpoints that lag behind. */
export interface LagPass {
  /** Those that are read for and have room, by their ids. */
  readonly endpoints: Map<string, RunningEndpoint>;
  /** Of the cursors that it goes by. */
  readonly loads: number;
  /** Where cursors are to be moved that Redis need not know yet: nothing began for these endpoints. */
  readonly unmoved: Map<string, Position>;
}

/** Begins what was read again for endpoints that lag behind, and moves their cursors. */
@Injectable()
export class LagIntake {
  constructor(
    private readonly cursors: CursorSet,
    private readonly window: DeliveryWindow,
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
   * @returns the endpoints that wait for a message that cannot be made; undefined where the pass is to end, since
   *   what it went by is not so any more. @throws Fault of the store or of Redis; Fenced.
   */
  async take(pass: LagPass, { events, upTo }: EventBatch): Promise<readonly string[] | undefined> {
    const own = listOwn(pass, events);
    // What a parked stream holds back is begun when the stream goes on.
    const left = new Set(own.filter((event) => this.gate.isBegunLater(event)));
    const planned = await this.messages.planAllAgain(own.filter((event) => !left.has(event)));
    return this.feed.exclusively(async () => {
      if (!this.#isStillSo(pass, own, left)) return undefined;
      const share = this.window.catchUp(planned, pass.endpoints, upTo);
      await this.intake.begin(share.begin);
      await this.#move(pass, share, left.size > 0);
      return share.heldUp;
    });
  }

  /** Notes how far a pass came, which is not to be read again. @throws Fault of Redis; Fenced. */
  async end(pass: LagPass): Promise<void> {
    if (pass.unmoved.size === 0) return;
    await this.feed.exclusively(async () => {
      if (pass.loads === this.cursors.loads) await this.cursors.move(this.#withoutCaughtUp(pass));
    });
  }

  /**
   * Cursors that were loaded anew may stand further back: what is between was lost with Redis. A stream that went on
   * meanwhile has left to this pass what lies behind the cursors, and the pass had left it to the stream; the same
   * with one that was parked.
   */
  #isStillSo({ loads }: LagPass, own: readonly FeedItem[], left: ReadonlySet<FeedItem>): boolean {
    if (loads !== this.cursors.loads) return false;
    return own.every((event) => this.gate.isBegunLater(event) === left.has(event));
  }

  /**
   * Cursors that pass over what a stream will begin stand behind it at once, since the stream goes by them. So do
   * those of what began, which else would begin again after a crash. All others are moved now and then: for hundreds
   * of endpoints, each batch would be as many lines of the backup.
   */
  async #move(pass: LagPass, { begin, moves }: LagShare, hasLeft: boolean): Promise<void> {
    const begun = new Set(begin.map(([{ target }]) => target));
    for (const [endpointId, after] of moves) if (after) pass.unmoved.set(endpointId, after);
    if (!hasLeft && begun.size === 0) return;
    const due = [...pass.unmoved].filter(([endpointId]) => hasLeft || begun.has(endpointId));
    await this.cursors.move(this.#withoutCaughtUp({ unmoved: new Map(due) }));
    for (const [endpointId] of due) pass.unmoved.delete(endpointId);
  }

  /** Where the feed has not been, it gives everything itself. */
  #withoutCaughtUp({ unmoved }: Pick<LagPass, 'unmoved'>): CursorMoves {
    const position = this.until;
    return new Map([...unmoved].map(([id, after]) => [id, after >= position ? null : after]));
  }
}

/** What is about the endpoints of a pass. Of their own events, what is asked for again alone waits for room. */
function listOwn({ endpoints }: LagPass, events: readonly FeedItem[]): readonly FeedItem[] {
  const about = new Set<string | undefined>([undefined]);
  for (const [endpointId, { appId }] of endpoints) about.add(endpointId).add(appId);
  return events.filter((event) => {
    const isOther = !('undecodable' in event) && isOfEndpoint(event) && !asksForResend(event);
    return !isOther && about.has(findConcerned(event));
  });
}
