import type { Position } from '#domain/event';
import type { Checkpoint } from './checkpoint.js';

/**
 * Why a partition cannot go on from where it stands, and is built anew (rules/events 6):
 * - `no_checkpoint`: a first start, a new release's projections, or Redis lost what it had;
 * - `unreadable_checkpoint`: not what we write;
 * - `clearing`: a rebuild was begun, and its projector is gone;
 * - `other_store`: the documents come from another event store;
 * - `ahead_of_store`: the event store has lost events, as after a restore from a backup.
 */
export type RebuildReason =
  'no_checkpoint' | 'unreadable_checkpoint' | 'clearing' | 'other_store' | 'ahead_of_store';

/** Undefined when the partition can go on. */
export function findRebuildReason(
  partition: { readonly stored: string; readonly current: Checkpoint | undefined },
  store: { readonly id: string; readonly head: Position },
): RebuildReason | undefined {
  const { stored, current: checkpoint } = partition;
  if (stored === '') return 'no_checkpoint';
  if (checkpoint === undefined) return 'unreadable_checkpoint';
  if (checkpoint.phase === 'clearing') return 'clearing';
  if (checkpoint.storeId !== store.id) return 'other_store';
  return checkpoint.position > store.head ? 'ahead_of_store' : undefined;
}
