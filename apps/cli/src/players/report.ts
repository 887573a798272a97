import type { Erasure, ScavengedNodes } from './erasures.js';
import { describeOpen } from './open-purchases.js';
import type { ErasureReport } from './player-erasure.js';

/** On a cluster each node has to forget for itself (rules/storage 14). */
const DUE =
  'A scavenge is due, which this user may not start: the administrator of the event store must scavenge each ' +
  'of its nodes. "subledger players erase --status" shows when it is done.';
const RUNS =
  'The event store takes the key off its disk now: "subledger players erase --status" shows when it is done.';
const EACH_NODE =
  'Each node has to: run "subledger store scavenge" with the address of that node alone in EVENTSTOREDB_URL.';
const AGAIN =
  'Whether a scavenge has begun since is not known: look with "subledger players erase --status", and run this again ' +
  'where one is due.';
const RETURNED =
  'The player has come back since, under a new key, and is not erased again: run the command once more for that.';

/** The finished and the remaining work for one player. */
export function describeReport(report: ErasureReport): string {
  const { erasure, canceled, mayScavenge, hasReturned, late } = report;
  const { player, due, isScavenging } = erasure;
  const lines = [
    hasReturned
      ? `An erasure of the player ${player}, which was not over, is now. ${RETURNED}`
      : `The player ${player} is erased: no key opens the player's texts any more.`,
  ];
  if (canceled.length > 0) lines.push(`Ended before: ${canceled.join(', ')}.`);
  if (due === 'nothing') lines.push('Nothing of the key is left in the event store.');
  else if (isScavenging) lines.push(RUNS);
  else if (!hasNodeDone(erasure)) lines.push(mayScavenge ? AGAIN : DUE);
  if (due === 'scavenge') lines.push(...describeNodes(erasure));
  if (late.length > 0) {
    lines.push('This began meanwhile, and goes on without a name: run the command again.');
    lines.push(...describeOpen(late).map((line) => `  ${line}`));
  }
  return lines.join('\n');
}

/** The due and the finished work, one line for each player. */
export function describeErasures(erasures: readonly Erasure[]): string {
  if (erasures.length === 0) return 'No player was erased.';
  return erasures
    .map(({ erasedAt, appId, player, due, isScavenging, nodes }) => {
      const state = isScavenging ? 'a scavenge runs' : due === 'nothing' ? 'done' : `${due} is due`;
      const where = due === 'scavenge' && nodes !== undefined ? `; left: ${nameLeft(nodes)}` : '';
      return `${erasedAt}  ${appId}  ${player}  ${state}${where}`;
    })
    .join('\n');
}

function hasNodeDone({ nodes }: Erasure): boolean {
  return nodes !== undefined && nodes.done.length > 0;
}

/** Of a store with several nodes. */
function describeNodes({ nodes }: Erasure): string[] {
  if (nodes === undefined || nodes.among.length + nodes.done.length < 2) return [];
  return [`A scavenge is still to end on ${nameLeft(nodes)}. ${EACH_NODE}`];
}

/** Nodes that name themselves otherwise than they announce themselves are among those that are left. */
function nameLeft({ done, left, among }: ScavengedNodes): string {
  const named = among.join(', ');
  return left === among.length ? named : `${left} of ${named} (done: ${done.join(', ')})`;
}
