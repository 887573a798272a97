import { Inject, Injectable } from '@nestjs/common';
import type { Backup } from '#checkpoint-backup';
import { fromMilliseconds } from '#domain/calendar';
import type { Instant, Position } from '#domain/event';
import { CursorSet } from '../redis/cursor-set.js';
import { ExhaustedSet } from '../redis/exhausted-set.js';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { InFlightSet } from '../redis/in-flight-set.js';
import { ParkedSet } from '../redis/parked-set.js';

/** Takes the checkpoint backup from Redis, where work begins and ends meanwhile (decision 0013). */
@Injectable()
export class BackupSnapshot {
  constructor(
    @Inject(FeedCheckpoint) private readonly checkpoint: Pick<FeedCheckpoint, 'peek'>,
    @Inject(CursorSet) private readonly cursors: Pick<CursorSet, 'read'>,
    @Inject(ParkedSet) private readonly parked: Pick<ParkedSet, 'read'>,
    @Inject(InFlightSet) private readonly inFlight: Pick<InFlightSet, 'pages'>,
    @Inject(ExhaustedSet) private readonly exhausted: Pick<ExhaustedSet, 'read'>,
  ) {}

  /**
   * The position is read first: work of later events is done again anyway. Cursors and parked streams, which say where
   * work is to be found, come before the work in flight. Work that begins meanwhile is then begun twice after a loss of
   * Redis; the other way round it would be lost.
   *
   * @returns undefined where Redis knows nothing, or has lost something while it was read. @throws Fault of Redis; Fenced.
   */
  async take(): Promise<Backup | undefined> {
    const before = await this.checkpoint.peek();
    if (before === undefined) return undefined;
    const { position } = before;
    const cursors = [...(await this.cursors.read())].map(
      ([id, after]) => [id, earlier(after, position)] as const,
    );
    const parked = (await this.parked.read()).filter((entry) => entry.position <= position);
    const inFlight = await this.#readInFlight(position);
    const exhausted = [...(await this.exhausted.read())].filter(isUpTo(position));
    const after = await this.checkpoint.peek();
    if (after?.identity !== before.identity) return undefined;
    return {
      position,
      inFlight,
      parked: new Map(parked.map((entry) => [entry.streamName, entry])),
      exhausted: new Map(exhausted),
      cursors: new Map(cursors),
    };
  }

  async #readInFlight(position: Position): Promise<Map<string, Instant | null>> {
    const inFlight = new Map<string, Instant | null>();
    for await (const page of this.inFlight.pages()) {
      for (const { member, dueAtMs } of page) {
        inFlight.set(member, dueAtMs === null ? null : fromMilliseconds(dueAtMs));
      }
    }
    return new Map([...inFlight].filter(isUpTo(position)));
  }
}

/** Whether a member of the work in flight is of an event up to a position. */
function isUpTo(position: Position) {
  return ([member]: readonly [string, unknown]) => member.slice(0, position.length) <= position;
}

function earlier(one: Position, other: Position): Position {
  return one < other ? one : other;
}
