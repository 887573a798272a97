import { Inject, Injectable } from '@nestjs/common';
import { type Backup, type BackupRecord, pageBackup, takeForRecord } from '#checkpoint-backup';
import { fromMilliseconds } from '#domain/calendar';
import type { Instant, Position } from '#domain/event';
import { type Log, sleepUntilTick, warnSeldom } from '#platform';
import {
  BACKUP_EVERY_MS,
  BACKUP_PAGE,
  CHANGES_READ_AT_ONCE,
  IDLE_BACKUP_EVERY_MS,
  RECORDS_AT_ONCE,
  RECORDS_BETWEEN_WHOLES,
} from '../limits.js';
import { LOG } from '../tokens.js';
import { BackupLog } from './backup-log.js';
import { BatchHandler } from './batch-handler.js';
import { CursorSet } from './cursor-set.js';
import { ExhaustedSet } from './exhausted-set.js';
import { FeedProgress, type ProgressSnapshot } from './feed-progress.js';
import { InFlightSet } from './in-flight-set.js';
import { ParkedSet } from './parked-set.js';

/** Where the backup ends, as this process has written it. */
interface Written {
  readonly revision: number;
  readonly position: Position;
  /** Of the Redis whose changes were named. */
  readonly identity: string;
  readonly recordsSinceWhole: number;
  /** Whether all lines that were there when the last whole was written have been named since. */
  readonly isWholeBehind: boolean;
  /** By a clock that only goes on. */
  readonly atMs: number;
}

/**
 * Backs the checkpoint up in the event store (decision 0086): one record of what changed, when there is
 * something new to say, and at most one a second; at most one in a quarter of an hour where the position alone
 * has moved: a partition that is idle has no old history to repeat either. Where one does not hold what changed,
 * others follow at once, until the position is that of now (decision 0165). A whole comes first, after a loss of
 * Redis, and again now and then, so that little has to be read. However much is in flight, a record is as large
 * as what changed.
 */
@Injectable()
export class CheckpointBackup {
  #written: Written | undefined;

  constructor(
    private readonly progress: FeedProgress,
    private readonly backups: BackupLog,
    @Inject(BatchHandler) private readonly batches: Pick<BatchHandler, 'lastEventAt'>,
    @Inject(InFlightSet) private readonly inFlight: Pick<InFlightSet, 'pages'>,
    @Inject(ParkedSet) private readonly parked: Pick<ParkedSet, 'read'>,
    @Inject(ExhaustedSet) private readonly exhausted: Pick<ExhaustedSet, 'read'>,
    @Inject(CursorSet) private readonly cursors: Pick<CursorSet, 'all'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (await sleepUntilTick(BACKUP_EVERY_MS, signal)) {
      await this.writeNews(performance.now());
    }
  }

  /** Writes a record if there is something new to say. @param nowMs as `performance.now`. Never throws. */
  async writeNews(nowMs: number): Promise<void> {
    await this.write((position) => this.#isNews(position, nowMs));
  }

  #isNews(position: Position, nowMs: number): boolean {
    const written = this.#written;
    if (written === undefined || this.batches.lastEventAt > written.position) return true;
    return position > written.position && nowMs - written.atMs >= IDLE_BACKUP_EVERY_MS;
  }

  /** The last record of a worker that stops in order, when all else has ended: nothing is repeated then. */
  async writeLast(): Promise<void> {
    await this.write((position) => position !== this.#written?.position);
  }

  /** @param isNew whether a position is worth a record, where nothing else is new. Never throws. */
  async write(isNew: (position: Position) => boolean): Promise<void> {
    try {
      for (let records = 0; records < RECORDS_AT_ONCE; records += 1) {
        if ((await this.#writeOne(isNew)) === 'all') return;
      }
    } catch (error) {
      // What the store and Redis have of it may differ now: the next record is a whole.
      this.#written = undefined;
      warnSeldom(this.log, error, 'the checkpoint could not be backed up; it is tried again');
    }
  }

  /** A record, or a whole. @returns whether some changes are named by none yet. */
  async #writeOne(isNew: (position: Position) => boolean): Promise<'all' | 'some left'> {
    const progress = await this.progress.read(CHANGES_READ_AT_ONCE);
    // Redis was emptied, or thrown back: what it says now is no news, and the feed will notice.
    if (progress === undefined || progress.position < (this.#written?.position ?? '')) return 'all';
    if (progress.lines.length === 0 && !isNew(progress.position)) return 'all';
    const written = this.#written;
    if (written !== undefined && !this.#isWholeDue(written, progress)) {
      return this.#writeChanges(progress, written);
    }
    await this.#writeWhole(progress);
    return 'all';
  }

  /**
   * Now and then, and where Redis has lost something since: what recovery began again was named before, so
   * that its end would pass for the end of something new, which need not be named.
   */
  #isWholeDue({ recordsSinceWhole, identity }: Written, progress: ProgressSnapshot): boolean {
    return recordsSinceWhole >= RECORDS_BETWEEN_WHOLES || identity !== progress.identity;
  }

  async #writeChanges(
    { position, identity, lines, lineCount }: ProgressSnapshot,
    written: Written,
  ): Promise<'all' | 'some left'> {
    const ends = written.isWholeBehind ? 'of earlier records' : 'all';
    const [changes, count] = takeForRecord(lines, ends);
    const isAll = count >= lineCount;
    const record: BackupRecord = {
      ...{ scope: 'changes', pagesBefore: 0 },
      // What is in flight at this position is named only when all lines are.
      position: isAll ? position : written.position,
      ...changes,
    };
    const revision = await this.backups.append(written.revision, [record]);
    const recordsSinceWhole = written.recordsSinceWhole + 1;
    const isWholeBehind = written.isWholeBehind || isAll;
    const end = { revision, position: record.position, identity };
    this.#written = { ...end, recordsSinceWhole, isWholeBehind, atMs: performance.now() };
    await this.progress.drop(count);
    return isAll ? 'all' : 'some left';
  }

  /**
   * What changes while it is read has a line of its own, which stays: later records correct it. Should Redis be lost
   * before the next one, the whole is all that is left: so what says where work is to be found comes from before the
   * work in flight. What begins meanwhile is then begun twice, and the other way round it would be lost.
   */
  async #writeWhole({ position, identity, lineCount }: ProgressSnapshot): Promise<void> {
    const { revision: before, backup } = await this.backups.read();
    // Ours may be older than what another holder wrote: Redis was thrown back.
    if (position < (backup?.position ?? '')) return;
    if (position === backup?.position && lineCount === 0) {
      // All of it is there. What comes next is a whole, at once: this holder has not written any yet.
      const recordsSinceWhole = RECORDS_BETWEEN_WHOLES;
      const written = { revision: before, position, identity, recordsSinceWhole };
      this.#written = { ...written, isWholeBehind: false, atMs: -Infinity };
      return;
    }
    const cursors = new Map(this.cursors.all);
    const parked = new Map((await this.parked.read()).map((each) => [each.streamName, each]));
    const inFlight = new Map<string, Instant | null>();
    for await (const page of this.inFlight.pages()) {
      for (const { member, dueAtMs } of page) inFlight.set(member, toAskAgainAt(dueAtMs));
    }
    const exhausted = await this.exhausted.read();
    const whole: Backup = { position, inFlight, parked, exhausted, cursors };
    const revision = await this.backups.append(before, pageBackup(whole, BACKUP_PAGE));
    const written = { revision, position, identity, recordsSinceWhole: 0 };
    this.#written = { ...written, isWholeBehind: false, atMs: performance.now() };
    await this.progress.drop(lineCount);
  }
}

function toAskAgainAt(dueAtMs: number | null): Instant | null {
  return dueAtMs === null ? null : fromMilliseconds(dueAtMs);
}
