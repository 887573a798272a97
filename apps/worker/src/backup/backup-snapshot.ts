import { Inject, Injectable } from '@nestjs/common';
import { fromMilliseconds } from '#domain/calendar';
import { type Backup, isUpTo } from '#worker-state';
import { CursorSet } from '../redis/cursor-set.js';
import { ExhaustedSet } from '../redis/exhausted-set.js';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { InFlightSet, type Member } from '../redis/in-flight-set.js';
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
   * The position is read first: work of later events is done again anyway. Cursors and parked streams, by which work is
   * found, come before the work in flight. Work that begins meanwhile is then begun twice after a loss of Redis; the
   * other way round it would be lost.
   *
   * @returns undefined where Redis knows nothing, or has lost something while it was read. @throws Fault of Redis; Fenced.
   */
  async take(): Promise<Backup | undefined> {
    const before = await this.checkpoint.peek();
    if (before === undefined) return undefined;
    const { position } = before;
    const cursors = [...(await this.cursors.read())].map(([endpointId, after]) => ({
      ...{ endpointId, after: after < position ? after : position },
    }));
    const parked = (await this.parked.read()).filter((entry) => entry.position <= position);
    const inFlight = (await this.#readInFlight()).filter(isUpTo(position));
    const exhausted = (await this.exhausted.read()).filter(isUpTo(position));
    const after = await this.checkpoint.peek();
    if (after?.identity !== before.identity) return undefined;
    return { position, inFlight, parked, exhausted, cursors };
  }

  async #readInFlight(): Promise<Backup['inFlight']> {
    const all: Member[] = [];
    for await (const page of this.inFlight.pages()) all.push(...page);
    return all.map(({ member, dueAtMs }) =>
      dueAtMs === null ? { member } : { member, askAgainAt: fromMilliseconds(dueAtMs) },
    );
  }
}
