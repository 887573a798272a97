import type { RecordedEvent } from '#domain/event';
import type { PersonalOwner } from '#domain/personal-data';
import { listMessages, type LoadedStates } from './render-messages.js';

/**
 * Those whom the messages of an event are about: one player, unless the event leads to a purchase of another one.
 * None where it gives no message. Where no state names an owner, as of a cart, the metadata of the event do.
 */
export function listOwners(
  event: RecordedEvent,
  { state, payment }: Pick<LoadedStates, 'state' | 'payment'>,
): readonly PersonalOwner[] {
  const owners = [state, payment].filter(isOwner);
  if (owners.length > 0) return owners;
  const { appId, player } = event.metadata;
  if (player === undefined || listMessages(event, state).length === 0) return [];
  return [{ appId, player, personal: {} }];
}

/** Subscriptions and payments that began have an owner; the states of other streams have none. */
function isOwner(state: unknown): state is PersonalOwner {
  return typeof state === 'object' && state !== null && 'personal' in state;
}
