import type { Position } from '#domain/event';
import type { World } from './world.js';

/** The position of a subscription's newest event; empty while it has none. */
export async function findLastPosition(world: World, subscriptionId: string): Promise<Position> {
  return (await world.events(`subscription-${subscriptionId}`)).at(-1)?.position ?? '';
}
