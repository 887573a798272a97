import { existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { EventLog } from '../event-log.js';
import { EVENTS_FILE, writeFormat } from '../storage/data-directory.js';
import { LogStore } from '../storage/log-store.js';
import { copyUncut } from './copy-uncut.js';
import { Cuts } from './cuts.js';

/** The events while they are copied; a start removes what a crash has left of it. */
const DRAFT = `${EVENTS_FILE}.scavenging`;
/** What is left for the moment in which nothing else is written. */
const LAST_STEP_EVENTS = 512;
/** What stays free on the disk beside the copy, for the appends that go on. */
const ROOM_BYTES = 64 * 1024 * 1024;

/** What a scavenge took away. */
export interface TakenAway {
  readonly events: number;
  readonly bytes: number;
}

/** Removes what an interrupted scavenge has left; the caller holds the directory's lock. */
export function removeDraft(dataDir: string): void {
  const draft = path.join(dataDir, DRAFT);
  for (const file of [draft, `${draft}-lock`]) if (existsSync(file)) rmSync(file);
}

/**
 * Takes away what no read answers with any more, while the store goes on: the rest is copied into a new file,
 * which takes the old one's place once nothing is missing, and the old one is overwritten. After a crash the
 * store is the old or the new one.
 *
 * @throws when the signal is aborted, when there is too little room, and what the files throw; the store is as
 *   before then.
 */
export async function takeAway(
  log: EventLog,
  dataDir: string,
  signal: AbortSignal,
): Promise<TakenAway> {
  const file = path.join(dataDir, EVENTS_FILE);
  const draft = path.join(dataDir, DRAFT);
  const before = statSync(file).size;
  removeDraft(dataDir);
  requireRoom(dataDir, before);
  // First: what the new file holds, an older program would take for damage.
  writeFormat(dataDir);
  try {
    const events = await replaceEvents(log, draft, signal);
    return { events, bytes: before - statSync(file).size };
  } catch (error) {
    removeDraft(dataDir);
    throw error;
  }
}

async function replaceEvents(
  { store, queue }: EventLog,
  draft: string,
  signal: AbortSignal,
): Promise<number> {
  const cuts = new Cuts(store, Date.now());
  const target = new LogStore(draft);
  let wipeOld = async (): Promise<void> => undefined;
  try {
    let events = 0;
    const copy = async () => (events += await copyUncut(store, target, cuts, signal));
    do await copy();
    while (store.lastPosition() - target.lastPosition() > LAST_STEP_EVENTS);
    let failure: Error | undefined;
    await queue.exclusively(async () => {
      failure = await copy().then(
        () => undefined,
        (error: unknown) => toError(error),
      );
      await target.close();
      if (failure === undefined) wipeOld = await store.replaceBy(draft);
    });
    if (failure !== undefined) throw failure;
    return events;
  } finally {
    await target.close();
    await wipeOld();
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function requireRoom(dataDir: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(dataDir);
  const needed = bytes + ROOM_BYTES;
  if (bavail * bsize >= needed) return;
  const [shownNeeded, shownFree] = [needed, bavail * bsize].map((n) => Math.ceil(n / 2 ** 20));
  throw new Error(`A scavenge needs ${shownNeeded} MiB of free disk, and there are ${shownFree}.`);
}
