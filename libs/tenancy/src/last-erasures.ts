import type { Position } from '#domain/event';
import { type Player, playerAggregate } from '#domain/player';
import type { CommandExecutor } from '#event-store';
import type { KnownPlayer } from './known-players.js';

/** When players were erased last, in the store's order: times of machines and of test clocks say nothing of it. */
export class LastErasures {
  /** Of players who came back, by their states: such a one is looked up once. */
  readonly #ofReturned = new WeakMap<Player, Promise<Position | null>>();

  constructor(private readonly commands: Pick<CommandExecutor, 'load'>) {}

  /** The position of the last erasure; null where there was none. @throws Fault of the store. */
  async find(player: string, known: KnownPlayer): Promise<Position | null> {
    const { state } = known;
    // Nothing follows an erasure but that the player comes back.
    if (state.status === 'erased') return known.position;
    if (state.status !== 'registered' || !state.wasErased) return null;
    return this.#ofReturned.get(state) ?? this.#lookUp(player, known);
  }

  #lookUp(player: string, known: KnownPlayer): Promise<Position | null> {
    const before = this.#findBefore(player, known);
    this.#ofReturned.set(known.state, before);
    // A failure says nothing to others; a later look-up of one of them stays.
    before.catch(() => {
      if (this.#ofReturned.get(known.state) === before) this.#ofReturned.delete(known.state);
    });
    return before;
  }

  /** The erasure stands right before the return, behind which there are rotations of the master key alone. */
  async #findBefore(player: string, { revision }: KnownPlayer): Promise<Position | null> {
    for (let toRevision = revision - 1; toRevision >= 0; toRevision -= 1) {
      const { state, position } = await this.commands.load(playerAggregate, player, { toRevision });
      if (state.status === 'erased') return position;
    }
    return null;
  }
}
