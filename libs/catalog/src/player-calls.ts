/** The call for a player that is under way, and those that wait for it. */
interface Calls<Result> {
  running: { readonly what: string; readonly result: Promise<Result> } | undefined;
  /** Calls that begin after it, by their subject: callers for the same subject until then share one. */
  readonly waiting: Map<string, Promise<Result>>;
  /** When the last of them ends. */
  last: Promise<unknown>;
}

/** One call at a time for each player, whatever it is for (rules/catalog 4). */
export class PlayerCalls<Result> {
  /** Of players with calls. */
  readonly #players = new Map<string, Calls<Result>>();

  /**
   * Shares a call for the same that has not begun, or one that is under way unless `fresh`: that one may have an
   * outdated answer. Else makes one, after those that there are. @throws as `call` does.
   */
  async run(
    player: string,
    what: string,
    fresh: boolean,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const calls = this.#players.get(player);
    if (calls === undefined) return this.#begin(player, what, call);
    const { running, waiting } = calls;
    if (!fresh && running?.what === what) return running.result;
    return waiting.get(what) ?? this.#wait(player, calls, what, call);
  }

  #begin(player: string, what: string, call: () => Promise<Result>): Promise<Result> {
    const result = call();
    const calls = { running: { what, result }, waiting: new Map(), last: result };
    this.#players.set(player, calls);
    this.#endAfter(player, calls, result);
    return result;
  }

  #wait(
    player: string,
    calls: Calls<Result>,
    what: string,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const begin = () => {
      calls.waiting.delete(what);
      const result = call();
      calls.running = { what, result };
      return result;
    };
    const result = calls.last.then(begin, begin);
    calls.waiting.set(what, result);
    calls.last = result;
    this.#endAfter(player, calls, result);
    return result;
  }

  #endAfter(player: string, calls: Calls<Result>, result: Promise<Result>): void {
    const end = () => {
      if (calls.last === result) this.#players.delete(player);
    };
    result.then(end, end);
  }
}
