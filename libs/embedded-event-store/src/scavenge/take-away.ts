import { rmSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { EventLog } from '../event-log.js';
import { toError } from '../failures.js';
import { EVENTS_FILE } from '../storage/data-directory.js';
import { LogStore } from '../storage/log-store.js';
import { wipe } from '../storage/wipe.js';
import { copyUncut, Cuts } from './copy-uncut.js';

/** The events while they are copied. */
const DRAFT = `${EVENTS_FILE}.scavenging`;
/** The events of before, until they are overwritten. */
const BEFORE = `${EVENTS_FILE}.scavenged`;
/** The events left for the moment in which nothing else is written. */
const LAST_STEP_EVENTS = 512;
/** Where events come as fast as they are copied, they wait for the rest of the last round. */
const MOST_ROUNDS = 20;
/** The space that stays free on the disk beside the copy, for the appends that go on. */
const ROOM_BYTES = 64 * 1024 * 1024;
const MIB = 2 ** 20;

/** The events that a scavenge took away. */
export interface TakenAway {
  readonly events: number;
  readonly bytes: number;
}

/** Overwrites and removes the files of an interrupted scavenge; the caller holds the directory's lock. */
export async function wipeLeftovers(dataDir: string): Promise<void> {
  const before = path.join(dataDir, BEFORE);
  const draft = path.join(dataDir, DRAFT);
  // Killed before the new file had its name: these are two names of the store itself.
  if (isSameFile(path.join(dataDir, EVENTS_FILE), before)) rmSync(before);
  for (const file of [before, draft]) await wipe(file);
  rmSync(`${draft}-lock`, { force: true });
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((file) =>
    statSync(file, { bigint: true, throwIfNoEntry: false }),
  );
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

/**
 * Takes away events that no read answers with any more, while the store goes on: the rest is copied into a new file,
 * which takes the old one's place once nothing is missing, and the old one is overwritten. After a crash the store is
 * the old or the new one, and the next start overwrites the rest of the other.
 *
 * @throws when the signal is aborted, when there is too little room, and errors of the files; the store is as before
 *   then, or the file that is still to be overwritten waits for the next start.
 */
export async function takeAway(
  log: EventLog,
  dataDir: string,
  signal: AbortSignal,
): Promise<TakenAway> {
  const file = path.join(dataDir, EVENTS_FILE);
  const before = statSync(file).size;
  await wipeLeftovers(dataDir);
  requireRoom(dataDir, before + ROOM_BYTES);
  const requireGoingOn = () => {
    signal.throwIfAborted();
    requireRoom(dataDir, ROOM_BYTES / 2);
  };
  try {
    const events = await replaceEvents(log, dataDir, requireGoingOn);
    return { events, bytes: before - statSync(file).size };
  } finally {
    await wipeLeftovers(dataDir);
  }
}

async function replaceEvents(
  { store, queue }: EventLog,
  dataDir: string,
  requireGoingOn: () => void,
): Promise<number> {
  const draft = path.join(dataDir, DRAFT);
  const cuts = new Cuts(store, Date.now());
  const target = new LogStore(draft, undefined, { eventTurnBatching: false });
  let closeBefore = async (): Promise<void> => undefined;
  try {
    let events = 0;
    let rounds = 0;
    const copy = async () => (events += await copyUncut(store, target, cuts, requireGoingOn));
    const isBehind = () => store.lastPosition() - target.lastPosition() > LAST_STEP_EVENTS;
    do await copy();
    while (isBehind() && (rounds += 1) < MOST_ROUNDS);
    let failure: Error | undefined;
    await queue.exclusively(async () => {
      failure = await copy().then(
        () => undefined,
        (error: unknown) => toError(error),
      );
      await target.close();
      if (failure === undefined) closeBefore = store.replaceBy(draft, path.join(dataDir, BEFORE));
    });
    if (failure !== undefined) throw failure;
    return events;
  } finally {
    await target.close();
    await closeBefore();
  }
}

function requireRoom(dataDir: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize >= bytes) return;
  const [needed, free] = [bytes, bavail * bsize].map((n) => Math.ceil(n / MIB));
  throw new Error(`A scavenge needs ${needed} MiB of free disk, and there are ${free}.`);
}
