import { cartAggregate } from '#domain/cart';
import type { Aggregate, AnyRejection } from '#domain/decider';
import type { DomainEvent } from '#domain/event';
import { loyaltyAggregate } from '#domain/loyalty';
import { loyaltyProgramAggregate } from '#domain/loyalty-program';
import { playerAggregate } from '#domain/player';
import { shopAggregate } from '#domain/shop';
import { shopSessionAggregate } from '#domain/shop-session';
import type { CommandExecutor, LiveAggregates } from '#event-store';
import { type Log, SharedReads, warnSeldom } from '#platform';

/** How long memory may be behind the store before the streams are read: short against the time of a page. */
const CURRENT_LIMIT_MS = 1_000;

/** Loads states of streams, from wherever they are known to be current. */
export interface StateLoader {
  /** At once where memory has it: a page looks at many states. @throws Fault `unavailable` or `undecodable`. */
  load<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
  ): MaybeSoon<{ readonly state: State }>;
}

type MaybeSoon<Value> = Value | Promise<Value>;

interface PlayerStatesOptions {
  readonly live: Pick<LiveAggregates, 'get' | 'recall' | 'catchUp'>;
  readonly commands: Pick<CommandExecutor, 'load'>;
  readonly log: Log;
  /** How long memory may take to catch up before the store is read in its place. */
  readonly limitMs?: number;
}

/**
 * All that pages of the shop know of players (rules/events 11). The streams of players who were asked for are kept in memory
 * and followed. Before a page goes by them, the store is asked how far it is, once for all who ask in one turn of the event
 * loop; when memory has come as far, it shows everything that was stored before they asked, whichever process did it.
 */
export class PlayerStates {
  /** The aggregates that the storefront follows. */
  static readonly aggregates = [
    ...[playerAggregate, shopSessionAggregate, shopAggregate, cartAggregate],
    ...[loyaltyProgramAggregate, loyaltyAggregate],
  ];
  readonly #looks: SharedReads<void>;

  constructor(private readonly options: PlayerStatesOptions) {
    const { live, limitMs = CURRENT_LIMIT_MS } = options;
    this.#looks = new SharedReads(() => live.catchUp(limitMs));
  }

  /**
   * The loader of states that show everything stored before this was called. They are those of memory; where memory
   * does not catch up, the streams themselves are read. Never throws.
   */
  async asOfNow(): Promise<StateLoader> {
    const { commands, log } = this.options;
    try {
      await this.#looks.load('head');
      return { load: (aggregate, id) => this.#recall(aggregate, id) };
    } catch (error) {
      warnSeldom(log, error, 'states in memory are behind the event store, which is read instead');
      return commands;
    }
  }

  #recall<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
  ): MaybeSoon<{ readonly state: State }> {
    const { live, commands } = this.options;
    // A stream whose later events this release cannot read is no state to go by: reading it says so.
    const choose = (known: Readable<State>): MaybeSoon<{ readonly state: State }> =>
      known.isFrozen ? commands.load(aggregate, id) : known;
    const recalled = live.recall(aggregate, id);
    return recalled === undefined ? live.get(aggregate, id).then(choose) : choose(recalled);
  }
}

/** A state of memory. */
interface Readable<State> {
  readonly state: State;
  readonly isFrozen: boolean;
}
