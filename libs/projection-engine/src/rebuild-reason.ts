import type { Position } from '#domain/event';
import type { Checkpoint } from './checkpoint.js';

/**
 * Why a partition cannot go on from where it stands, and is built anew (rules/events 6):
 * - `no_checkpoint`: a first start, a new release's projections, or Redis lost what it had;
 * - `unreadable_checkpoint`: not what we write;
 * - `clearing`: a rebuild was begun, and its projector no longer holds the partition;
 * - `ahead_of_store`: the event store has lost events, as after a restore from a backup.
 */
export type RebuildReason =
  'no_checkpoint' | 'unreadable_checkpoint' | 'clearing' | 'ahead_of_store';

/** Undefined when the partition can go on. */
export function findRebuildReason(
  partition: { readonly stored: string; readonly current: Checkpoint | undefined },
  head: Position,
): RebuildReason | undefined {
  const { stored, current: checkpoint } = partition;
  if (stored === '') return 'no_checkpoint';
  if (checkpoint === undefined) return 'unreadable_checkpoint';
  if (checkpoint.phase === 'clearing') return 'clearing';
  return checkpoint.position > head ? 'ahead_of_store' : undefined;
}
