/**
 * Fills the disk under a standalone, keeps it full for some seconds and makes room, again and again. The promises of
 * rules/running 4 are checked: commands are refused with 503 meanwhile and work within 5 s of room being there, logs
 * come back by themselves, no lock files or drafts are left behind by the stop, and every acknowledged command is there
 * after the next start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningStandalone, startStandalone } from '../support/standalone.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { LedgerWatch } from './edge/ledger-watch.js';
import { Commands } from './full-disk/commands.js';
import { Findings } from './full-disk/findings.js';
import { checkLogs, filesIn, logsIn, findPids, restartedSince } from './full-disk/programs.js';
import { SmallDisk } from './full-disk/small-disk.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';

export const description =
  'a disk that is full and has room again (--rounds; needs root, for a mount)';

const DEFAULT_ROUNDS = 3;
const COMMANDS_BEFORE = 10;
/** Until the first refusal: pages that the store has already may take some more. */
const FULL_LIMIT_MS = 60_000;
/** How long it stays full after the first refusal: programs die and start more than once meanwhile. */
const FULL_MS = 6_000;
/** rules/running 4 */
const WORKS_WITHIN_MS = 5_000;
const GIVE_UP_MS = 60_000;
const PAUSE_MS = 100;

interface Round {
  /** From the moment in which there is room to the first acknowledged command. */
  readonly worksAfterMs: number;
  readonly restarted: readonly string[];
}

export async function run({
  rounds = DEFAULT_ROUNDS,
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const disk = await SmallDisk.mount();
  const scene = new Scene(disk);
  try {
    const seen = await untilInterrupted(scene.play(rounds, progress));
    return scene.toResult(seen);
  } finally {
    await scene.end();
    await disk.remove();
  }
}

class Scene {
  readonly #findings = new Findings();
  readonly #commands = new Commands(this.#findings);
  #standalone: Promise<RunningStandalone> | undefined;
  #isOver = false;
  #interruptedLogs: readonly string[] = [];

  constructor(private readonly disk: SmallDisk) {}

  async play(rounds: number, progress: ChaosOptions['progress']): Promise<readonly Round[]> {
    await this.#start();
    await this.#stop();
    const usual = await filesIn(this.disk.folder);
    const standalone = await this.#start();
    const seen: Round[] = [];
    for (let n = 1; n <= rounds; n += 1) {
      const round = await this.#round(standalone);
      seen.push(round);
      progress(n, rounds, `rounds: works again after ${round.worksAfterMs} ms`);
    }
    const code = await this.#stop();
    if (code !== 0) this.#findings.add(`the stop ended with code ${code}`, standalone.said());
    this.#interruptedLogs = checkLogs(standalone, this.#findings);
    for (const name of await filesIn(this.disk.folder)) {
      if (!usual.has(name)) this.#findings.add('a stop left a file behind', name);
    }
    await this.#compare(await this.#start());
    return seen;
  }

  /** Stops running and starting parts; nothing is started any more. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#stop();
  }

  toResult(seen: readonly Round[]): ChaosResult {
    const times = seen.map(({ worksAfterMs }) => worksAfterMs).sort((a, b) => a - b);
    const figures = {
      rounds: seen.length,
      acknowledged: this.#commands.acknowledged.size,
      refused: this.#commands.refused,
      worksAfterMs: {
        min: times[0],
        median: times[Math.floor(times.length / 2)],
        max: times.at(-1),
      },
      interruptedLogs: this.#interruptedLogs,
      startedAgain: countByName(seen.flatMap(({ restarted }) => restarted)),
    };
    const summary = Object.entries(figures)
      .map(([name, value]) => `${name}: ${JSON.stringify(value).replaceAll(/[{}"]/g, '')}`)
      .join('\n');
    return { summary, figures, findings: this.#findings.lines };
  }

  async #start(): Promise<RunningStandalone> {
    if (this.#isOver) throw new Error('It is over.');
    this.#standalone = startStandalone(this.disk.folder);
    const standalone = await this.#standalone;
    this.#commands.sendTo(standalone);
    return standalone;
  }

  /** @returns its exit code; undefined when there is none. */
  async #stop(): Promise<number | null | undefined> {
    const standalone = await this.#standalone?.catch(() => undefined);
    this.#standalone = undefined;
    return standalone?.stop();
  }

  async #round(standalone: RunningStandalone): Promise<Round> {
    for (let n = 0; n < COMMANDS_BEFORE; n += 1) await this.#commands.sendUntil(true, GIVE_UP_MS);
    const pids = await findPids(standalone);
    await this.#beFull();
    await this.disk.makeRoom();
    const worksAfterMs = Math.round((await this.#commands.sendUntil(true, GIVE_UP_MS)) ?? Infinity);
    if (worksAfterMs > WORKS_WITHIN_MS) {
      const seen = `${worksAfterMs} ms after there was room\n${standalone.said()}`;
      this.#findings.add('commands did not work within 5 s', seen);
    }
    const restarted = await restartedSince(pids, standalone, this.#findings);
    return { worksAfterMs, restarted };
  }

  /** Fills the disk until commands are refused, and keeps it so. */
  async #beFull(): Promise<void> {
    const logs = logsIn(this.disk.folder);
    this.disk.fill(logs);
    const refusedAfter = await this.#commands.sendUntil(false, FULL_LIMIT_MS);
    if (refusedAfter === undefined) {
      this.#findings.add('commands are not refused on a full disk', 'all were acknowledged');
    }
    const until = performance.now() + FULL_MS;
    while (performance.now() < until) {
      this.disk.fill(logs);
      await this.#commands.send();
      await sleep(PAUSE_MS);
    }
  }

  /** An acknowledged command is in the event store, and is read from the API. */
  async #compare(standalone: RunningStandalone): Promise<void> {
    const watch = new LedgerWatch(await standalone.eventStoreUrl());
    try {
      // A stored name ends with the id, behind namespace, category and bucket.
      const ids = new Set((await watch.newEvents()).map(({ streamName }) => readId(streamName)));
      for (const id of this.#commands.acknowledged.keys()) {
        if (!ids.has(id)) this.#findings.add('an acknowledged plan is lost', id);
      }
    } finally {
      await watch.close();
    }
    await this.#commands.readBack();
  }
}

function countByName(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function readId(storedName: string): string {
  return storedName.slice(storedName.lastIndexOf('.') + 1);
}
