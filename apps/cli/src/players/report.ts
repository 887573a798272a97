import type { Erasure } from './erasures.js';
import { describeOpen } from './open-purchases.js';
import type { ErasureReport } from './player-erasure.js';

/** On a cluster each node has to forget for itself (rules/storage 14). */
const DUE =
  'A scavenge is due, which this user may not start: the administrator of the event store must scavenge each ' +
  'of its nodes. "subledger players erase --status" shows when it is done.';
const RUNS =
  'The event store takes the key off its disk now: "subledger players erase --status" shows when it is done. ' +
  'In a cluster, scavenge each of the other nodes, too ("subledger store scavenge").';
const AGAIN =
  'Whether a scavenge has begun since is not known: look with "subledger players erase --status", and run this again ' +
  'where one is due.';
const RETURNED =
  'The player has come back since, under a new key, and is not erased again: run the command once more for that.';

const PLAIN =
  "Events of these purchases were written before players had keys. They hold the studio's id of the player, and what " +
  'it told with the purchase, in the clear; that is not shown any more, and cannot be taken out:';

/** What was done to one player, and what is left to do. */
export function describeReport(report: ErasureReport): string {
  const { erasure, canceled, mayScavenge, hasReturned, late, plain } = report;
  const { player, due, isScavenging } = erasure;
  const lines = [
    hasReturned
      ? `An erasure of the player ${player}, which was not over, is now. ${RETURNED}`
      : `The player ${player} is erased: no key opens what was the player's any more.`,
  ];
  if (canceled.length > 0) lines.push(`Ended before: ${canceled.join(', ')}.`);
  if (due === 'nothing') lines.push('Nothing of the key is left in the event store.');
  else if (isScavenging) lines.push(RUNS);
  else lines.push(mayScavenge ? AGAIN : DUE);
  if (plain.length > 0) lines.push(PLAIN, ...plain.map((id) => `  ${id}`));
  if (late.length > 0) {
    lines.push('This began meanwhile, and goes on without a name: run the command again.');
    lines.push(...describeOpen(late).map((line) => `  ${line}`));
  }
  return lines.join('\n');
}

/** What is due, and what is done, one line for each player. */
export function describeErasures(erasures: readonly Erasure[]): string {
  if (erasures.length === 0) return 'No player was erased.';
  return erasures
    .map(({ erasedAt, appId, player, due, isScavenging }) => {
      const state = isScavenging ? 'a scavenge runs' : due === 'nothing' ? 'done' : `${due} is due`;
      return `${erasedAt}  ${appId}  ${player}  ${state}`;
    })
    .join('\n');
}
