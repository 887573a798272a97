import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { type Log, sleepUntilTick, warnSeldom } from '#platform';
import { type Backup, type ExhaustedDelivery, toPages } from '#worker-state';
import { BACKUP_PAGE_EVERY_MS, EXHAUSTED_BESIDE_LIST, IDLE_BACKUP_EVERY_MS } from '../limits.js';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { LOG } from '../tokens.js';
import { BackupLog } from './backup-log.js';
import { BackupSnapshot } from './backup-snapshot.js';

type Exhausted = readonly ExhaustedDelivery[];

/**
 * The list of deliveries that were given up, beside the backups in the event store. It is written anew when so many
 * were given up since that a backup should not name them: one that names all of them every few seconds would be large.
 */
@Injectable()
export class ExhaustedList {
  /** As this process knows the list; undefined until it was read, and after a failure. */
  #written: { readonly revision: number; readonly members: ReadonlySet<string> } | undefined;

  constructor(private readonly backups: BackupLog) {}

  /** @returns those that a backup has to name beside the list. @throws Fault of the store; RevisionConflict. */
  async nameOthers(exhausted: Exhausted): Promise<Exhausted> {
    const { revision, members } = (this.#written ??= await this.#read());
    const others = exhausted.filter(({ member }) => !members.has(member));
    if (others.length <= EXHAUSTED_BESIDE_LIST) return others;
    this.#written = undefined;
    const after = await this.backups.appendExhausted(revision, exhausted);
    this.#written = { revision: after, members: toMembers(exhausted) };
    return [];
  }

  async #read() {
    const { revision, backup } = await this.backups.readExhausted();
    return { revision, members: toMembers(backup?.exhausted ?? []) };
  }
}

function toMembers(exhausted: Exhausted): Set<string> {
  return new Set(exhausted.map(({ member }) => member));
}

/** The last backup of the stream, as far as this process knows. */
interface Written {
  readonly revision: number;
  readonly position: Position;
  /** Of all but the position. */
  readonly digest: string;
  readonly pages: number;
  /** By a clock that only goes on. */
  readonly atMs: number;
}

/**
 * Backs the checkpoint up in the event store (decision 0013): a snapshot every few seconds where there is something
 * new to say, and a quarter of an hour apart where the position alone has moved, since a partition that is idle has
 * no old history to repeat either. The more pages a snapshot has, the more seldom it is written.
 */
@Injectable()
export class CheckpointBackup {
  #written: Written | undefined;

  constructor(
    @Inject(BackupSnapshot) private readonly snapshot: Pick<BackupSnapshot, 'take'>,
    @Inject(BackupLog) private readonly backups: Pick<BackupLog, 'read' | 'append'>,
    @Inject(ExhaustedList) private readonly list: Pick<ExhaustedList, 'nameOthers'>,
    @Inject(FeedCheckpoint) private readonly checkpoint: Pick<FeedCheckpoint, 'lastEventAt'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (await sleepUntilTick(this.everyMs, signal)) await this.writeNews(performance.now());
  }

  /** Between two backups, by the size of the last one. */
  get everyMs(): number {
    return BACKUP_PAGE_EVERY_MS * (this.#written?.pages ?? 1);
  }

  /** Writes a backup if there is something new to say. @param nowMs as `performance.now`. Never throws. */
  async writeNews(nowMs: number): Promise<void> {
    await this.#write((position, written) => {
      if (this.checkpoint.lastEventAt > written.position) return true;
      return position > written.position && nowMs - written.atMs >= IDLE_BACKUP_EVERY_MS;
    });
  }

  /** The last backup of a worker that stops in order, when all else has ended: nothing is repeated then. Never throws. */
  async writeLast(): Promise<void> {
    await this.#write((position, written) => position !== written.position);
  }

  /** @param isNew whether a position is worth a backup, where nothing else is new. */
  async #write(isNew: (position: Position, written: Written) => boolean): Promise<void> {
    try {
      const taken = await this.snapshot.take();
      if (taken === undefined) return;
      const written = (this.#written ??= await this.#readWritten());
      const { position } = taken;
      // Redis was thrown back: the feed will notice.
      if (position < written.position) return;
      const backup = { ...taken, exhausted: await this.list.nameOthers(taken.exhausted) };
      const digest = hashContent(backup);
      if (digest === written.digest && !isNew(position, written)) return;
      const revision = await this.backups.append(written.revision, backup);
      const pages = revision - written.revision;
      this.#written = { revision, position, digest, pages, atMs: performance.now() };
    } catch (error) {
      // The store may have other pages by now than this process knows of.
      this.#written = undefined;
      warnSeldom(this.log, error, 'the checkpoint could not be backed up; it is tried again');
    }
  }

  async #readWritten(): Promise<Written> {
    const { revision, backup } = await this.backups.read();
    const { position = '' } = backup ?? {};
    const digest = backup === undefined ? '' : hashContent(backup);
    return { revision, position, digest, pages: 1, atMs: -Infinity };
  }
}

function hashContent(backup: Backup): string {
  const pages = JSON.stringify(toPages({ ...backup, position: '' }));
  return createHash('sha256').update(pages).digest('base64');
}
