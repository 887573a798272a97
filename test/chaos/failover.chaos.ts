/**
 * Kills and freezes the leader of three nodes under commands, and looks whether every promise is kept (rules/running
 * 13): an acknowledged command is never lost, none is done twice, and commands are acknowledged again in time. The nodes
 * stand before one embedded event store, each behind a door of its own; the others elect after the times below, and
 * until then they answer that they are not ready, and gossip names the old leader.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connectEventStore } from '#event-store/connect';
import { RestartableStore } from '../integration/event-store/support.js';
import { FakeCluster } from '../support/cluster/fake-cluster.js';
import { eventually } from '../support/eventually.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { FailoverLoad } from './failover/load.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';

export const description =
  'the end and the standstill of the leader of three nodes of the event store, under commands (--rounds)';

const DEFAULT_ROUNDS = 5;
/** How the leader is lost, when the others have the next one, and how long silence may be. */
const LOSSES = {
  // Connections that break are noticed by all at once.
  killed: { electedAfterMs: 1_000, silenceMs: 2_000 },
  // Nodes miss heartbeats first.
  frozen: { electedAfterMs: 2_500, silenceMs: 6_000 },
} as const;
type Loss = keyof typeof LOSSES;
const ALL: readonly Loss[] = ['killed', 'frozen'];
/** Before a loss, so that each begins with a connection that is at work. */
const CALM_MS = 500;

export async function run({
  rounds = DEFAULT_ROUNDS,
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const server = await RestartableStore.start({ insecure: true });
  const cluster = await FakeCluster.before(server.port);
  const store = connectEventStore(cluster.connectionString);
  const load = new FailoverLoad(store);
  try {
    return await untilInterrupted(play(cluster, load, rounds, progress));
  } finally {
    await load.stop();
    await store.dispose();
    await cluster.stop();
    await server.remove();
  }
}

async function play(
  cluster: FakeCluster,
  load: FailoverLoad,
  rounds: number,
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const findings = new Findings();
  const silences = { killed: [] as number[], frozen: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const loss of ALL) {
      const silenceMs = await loseLeader(loss, cluster, load);
      silences[loss].push(silenceMs);
      if (silenceMs > LOSSES[loss].silenceMs) findings.add(`${loss}: silence`, `${silenceMs} ms`);
    }
    progress(round, rounds, `rounds: silence of ${JSON.stringify(silences)} ms`);
  }
  await load.stop();
  await load.inspect(findings);
  const { acknowledged, failed } = load;
  const summary = `${acknowledged} commands acknowledged, ${failed} failed; silence in ms: ${JSON.stringify(silences)}`;
  return { summary, figures: { acknowledged, failed, silences }, findings: findings.lines };
}

/** @returns the longest time without an acknowledged command, in milliseconds. */
async function loseLeader(loss: Loss, cluster: FakeCluster, load: FailoverLoad): Promise<number> {
  await pause(CALM_MS);
  const old = cluster.leader.door;
  const next = (cluster.members.indexOf(cluster.leader) + 1) % cluster.members.length;
  const lostAt = performance.now();
  cluster.others('electing');
  if (loss === 'killed') await old.shut();
  else old.freeze();
  await pause(LOSSES[loss].electedAfterMs);
  cluster.elect(next);
  const electedAt = performance.now();
  await eventually(() => load.isAcknowledgedSince(electedAt), { what: 'a command' });
  const silenceMs = Math.round(load.longestSilence(lostAt));
  await old.shut();
  await old.open();
  return silenceMs;
}
