/**
 * Kills the event store at random moments under concurrent writers and a subscriber, starts it again on the same data
 * and looks whether every promise was kept: nothing acknowledged is lost, revisions have no gap, a position never means
 * two events, events that a reader saw stay, a retry after an unknown outcome is safe, and a subscriber that resumes
 * from its checkpoint sees each event once.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { parseConnectionString } from '../support/connection-string.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { Follower } from './event-store-follower.js';
import { Ledger } from './event-store-ledger.js';
import { Writer } from './event-store-writer.js';
import { StoreProcess } from '../support/store-process.js';

export const description = 'kill -9 of the event store under writers and a subscriber (--rounds)';

const DEFAULT_ROUNDS = 200;
const WRITERS = 8;
const LONGEST_LIFE_MS = 250;
/** All calls are canceled at once; a call that never says that it ended is not waited for longer. */
const LONGEST_DISPOSAL_MS = 1000;
/** Some rounds end before anything could be written: a store must survive that as well. */
const STILLBORN_SHARE = 0.1;

/** @throws Error when a guarantee was broken, saying which. */
export async function run(options: ChaosOptions): Promise<ChaosResult> {
  const { rounds = DEFAULT_ROUNDS, progress } = options;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'event-store-chaos-'));
  const ledger = new Ledger();
  const writers = Array.from({ length: WRITERS }, (_, n) => new Writer(`chaos-${n}`, n, ledger));
  const follower = new Follower('chaos-', ledger);
  let port = 0;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const store = await StoreProcess.start(dataDir, port);
      port = store.port;
      const client = EventStoreDBClient.connectionString(store.connectionString);
      try {
        await live(client, store, writers, follower, ledger);
      } finally {
        await store.kill();
      }
      await Promise.all([...writers.map(async (writer) => writer.stop()), follower.stop()]);
      // Clients share one list of appends that wait: a call of an earlier life that ends late would
      // empty it, and the next answer would then have no append to go to.
      await Promise.race([client.dispose(), sleep(LONGEST_DISPOSAL_MS)]);
      progress(round, rounds, `rounds: ${ledger.summary()}`);
    }
    await settle(dataDir, port, writers, follower, ledger);
    const summary = `${rounds} rounds: ${ledger.summary()}`;
    return { summary, figures: { rounds, ledger: ledger.summary() }, findings: [] };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** One life of the store: the content that the last one left is checked, then all write until the kill. */
async function live(
  client: EventStoreDBClient,
  store: StoreProcess,
  writers: readonly Writer[],
  follower: Follower,
  ledger: Ledger,
): Promise<void> {
  await ledger.verify(client);
  follower.start(client);
  const { user } = parseConnectionString(store.connectionString);
  for (const writer of writers) writer.start(client, user);
  const life = Math.random() < STILLBORN_SHARE ? 0 : Math.random() * LONGEST_LIFE_MS;
  await sleep(life);
}

/** The last life is not cut short: every unknown outcome is cleared up and every event followed. */
async function settle(
  dataDir: string,
  port: number,
  writers: readonly Writer[],
  follower: Follower,
  ledger: Ledger,
): Promise<void> {
  const store = await StoreProcess.start(dataDir, port);
  try {
    const client = EventStoreDBClient.connectionString(store.connectionString);
    for (const writer of writers) await writer.retryUnknown(client);
    await ledger.verifyFromTheStart(client);
    follower.start(client);
    await follower.reach(ledger.lastPosition);
    ledger.compareFollowed(follower.followed);
  } finally {
    await store.kill();
    await follower.stop();
  }
}
