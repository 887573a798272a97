import { loadScript, type Redis } from '#redis';
import { endpointKeys } from './keys.js';
import { TOKEN_AWAY_MS } from './limits.js';

const takeToken = loadScript(new URL('./lua/take-token-1.lua', import.meta.url));

/**
 * The tokens of endpoints that are to get so many attempts in a second at most, over all processes (rules/webhooks
 * 6). They may be lost with Redis: the second begins anew.
 */
export class SharedTokens {
  constructor(
    private readonly redis: Redis,
    private readonly ledger: { readonly layoutId: string },
  ) {}

  /** @returns 0 where an attempt may begin now, else in how many milliseconds to ask again. @throws Fault of Redis. */
  async take(endpointId: string, perSecond: number): Promise<number> {
    const { tokens } = endpointKeys(this.ledger.layoutId, endpointId);
    return Number(await takeToken(this.redis, [tokens], [perSecond, TOKEN_AWAY_MS]));
  }
}
