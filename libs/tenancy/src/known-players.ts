import { type Player, playerAggregate } from '#domain/player';
import type { LiveAggregates, Loaded } from '#event-store';
import { Fault, retry } from '#platform';

/** A node of a cluster may answer late; more than moments it never is behind. */
const UNKNOWN_PLAYER = { attempts: 3, baseMs: 50, capMs: 200, isRetryable: isUndecodable };
/** A list may show many purchases of one who was erased, and is asked for often. */
const POLL_SHARED_FOR_MS = 1_000;

/** One look at the store, and its time. */
interface Look {
  readonly atMs: number;
  readonly found: Promise<KnownPlayer>;
}

/** A player, with the last event that is known. */
export type KnownPlayer = Omit<Loaded<Player>, 'lastOccurredAt'>;

/**
 * Players as memory has them, and as the store has them where that knows better: one who seems to be erased may have
 * come back, and one who seems to be unknown may be new, where this process is behind.
 */
export class KnownPlayers {
  /** By the state that memory had: another one ends the sharing. */
  readonly #looks = new WeakMap<Player, Look>();

  constructor(private readonly live: Pick<LiveAggregates, 'get' | 'recall' | 'refresh'>) {}

  /** One who is registered, and as such in memory: `find` would say the same. */
  recall(player: string): Player | undefined {
    const state = this.live.recall(playerAggregate, player)?.state;
    return state?.status === 'registered' ? state : undefined;
  }

  /** @throws Fault `undecodable` where the player is not there; `unavailable`. */
  async find(player: string): Promise<KnownPlayer> {
    const known = await this.live.get(playerAggregate, player);
    return known.state.status === 'registered' ? known : this.#look(player);
  }

  /** The same for an answer of the API: of one who was erased the store is asked once a second. @throws as `find`. */
  async findForAnswer(player: string): Promise<Player> {
    const { state } = await this.live.get(playerAggregate, player);
    if (state.status === 'registered') return state;
    if (state.status === 'none') return (await this.#look(player)).state;
    return (await this.#lookShared(player, state)).state;
  }

  #lookShared(player: string, state: Player): Promise<KnownPlayer> {
    const known = this.#looks.get(state);
    const nowMs = performance.now();
    if (known !== undefined && nowMs - known.atMs < POLL_SHARED_FOR_MS) return known.found;
    const found = this.#look(player);
    const look = { atMs: nowMs, found };
    this.#looks.set(state, look);
    // A failure says nothing to others; one that comes late leaves a newer look alone.
    found.catch(() => {
      if (this.#looks.get(state) === look) this.#looks.delete(state);
    });
    return found;
  }

  #look(player: string): Promise<KnownPlayer> {
    return retry(async () => {
      const found = await this.live.refresh(playerAggregate, player);
      if (found.state.status === 'none') throw withoutStream(player);
      return found;
    }, UNKNOWN_PLAYER);
  }
}

function isUndecodable(error: unknown): boolean {
  return error instanceof Fault && error.code === 'undecodable';
}

/** Every purchase was written after its player. */
function withoutStream(player: string): Fault {
  const message = `the player ${player} of a purchase has no stream`;
  return new Fault('undecodable', message, { retryable: false });
}
