import { EVENT_TYPES } from '#domain/event-types';
import { PARKED_RETRY_REQUESTED } from '#event-store';
import { SANDBOX_EVENT_TYPES } from '#gateway';
import { DELIVERY_CHECKPOINT_RECORDED } from '#worker-state';

/** An event of a type that is not named here was written by a newer release: its stream is parked. */
export const KNOWN_EVENT_TYPES: readonly string[] = [
  ...EVENT_TYPES,
  ...SANDBOX_EVENT_TYPES,
  DELIVERY_CHECKPOINT_RECORDED,
  PARKED_RETRY_REQUESTED,
];
