import { loadScript, type Redis } from '#redis';
import { endpointKeys } from './keys.js';
import { PLACES_LENT_MS, PLACES_OF_ENDPOINT } from './limits.js';

const takePlaces = loadScript(new URL('./lua/take-places-1.lua', import.meta.url));

/**
 * The places for attempts at endpoints, which all partitions and processes share (decision 0125). They are lent for a
 * short time: what a process had that died is free soon. Each partition has one place of its own beside them.
 */
export class SharedPlaces {
  constructor(
    private readonly redis: Redis,
    private readonly layoutId: string,
  ) {}

  /**
   * @param wanted how many in all; 0 gives them back. @returns how many are lent now, for `PLACES_LENT_MS`.
   * @throws Fault of Redis.
   */
  async take(endpointId: string, holder: string, wanted: number): Promise<number> {
    const { places } = endpointKeys(this.layoutId, endpointId);
    const args = [holder, wanted, PLACES_OF_ENDPOINT, PLACES_LENT_MS];
    return Number(await takePlaces(this.redis, [places], args));
  }
}
