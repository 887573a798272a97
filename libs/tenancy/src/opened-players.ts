import type { Player, RegisteredPlayer } from '#domain/player';
import type { Seal } from '#platform';
import { PlayerKey } from './player-key.js';

/** In the place of the studio's id of a player who was erased (rules/storage 16). */
export const ERASED = 'erased';

/** A player whose data are open. */
export interface OpenedPlayer {
  readonly key: PlayerKey;
  readonly accountId: string;
}

/** Opened once for each state that is in memory, and forgotten with it. */
export class OpenedPlayers {
  readonly #known = new WeakMap<RegisteredPlayer, OpenedPlayer>();

  constructor(private readonly seal: Seal) {}

  open(appId: string, player: string, state: Player): OpenedPlayer | undefined {
    if (state.status !== 'registered') return undefined;
    const known = this.#known.get(state);
    if (known !== undefined) return known;
    const text = this.seal.open(state.sealedKey, sealedFor(appId, player));
    const key = new PlayerKey(appId, player, Buffer.from(text, 'base64'));
    const accountId = key.open('accountId', state.sealedAccountId) ?? ERASED;
    const opened = { key, accountId };
    this.#known.set(state, opened);
    return opened;
  }
}

/** The purpose of a player's key, which is sealed under MASTER_KEY. */
export function sealedFor(appId: string, player: string) {
  return { appId, purpose: `player key ${player}` };
}
