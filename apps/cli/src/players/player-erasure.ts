import type { CreatedApp } from '#domain/app';
import { orderAggregate } from '#domain/order';
import { type Player, playerAggregate } from '#domain/player';
import { subscriptionAggregate } from '#domain/subscription';
import { testClockAggregate, testClockNow } from '#domain/test-clock';
import type { CommandContext, CommandExecutor, LedgerStore } from '#event-store';
import { assertDefect, newUuid, wallClock } from '#platform';
import { CliError } from '../cli-error.js';
import { awaitDeliveries, type Undelivered } from './deliveries.js';
import { type Erasure, playerStream, readErasure } from './erasures.js';
import { OwedMessages } from './owed-messages.js';
import { describeOpen, findOpen, type OpenPurchase } from './open-purchases.js';
import { Purchases } from './purchases.js';
import { startScavenge } from './start-scavenge.js';

export interface ErasureOptions {
  readonly store: LedgerStore;
  readonly commands: CommandExecutor;
  readonly app: CreatedApp;
  /** The pseudonym. */
  readonly player: string;
  /** Called with the name of the step, and its progress from 0 to 1. */
  readonly onProgress: (label: string, share: number) => void;
}

/** The result of an erasure. */
export interface ErasureReport {
  readonly erasure: Erasure;
  /** Subscriptions and orders that were ended for it. */
  readonly canceled: readonly string[];
  /** False where the store does not let this user scavenge: its administrator has to. */
  readonly mayScavenge: boolean;
  /** The player is known again since an erasure that this run has finished, and was not erased anew. */
  readonly hasReturned: boolean;
  /** Purchases that began between the last poll and the erasure, and go on without a name. */
  readonly late: readonly OpenPurchase[];
}

/**
 * Erases one player (rules/storage 16): each step leaves the data of the next one in the store, and does nothing where
 * it was done before, so that a run which was killed is gone on with by the next.
 */
export class PlayerErasure {
  readonly #purchases: Purchases;

  constructor(private readonly options: ErasureOptions) {
    const { store, app, player, onProgress } = options;
    const looking = (share: number): void => onProgress('looking', share);
    this.#purchases = new Purchases(store, app.appId, player, looking);
  }

  /**
   * @param cancel ends subscriptions and unpaid orders, and waits so long until their webhooks have gone out; undefined
   *   where open purchases refuse the erasure. @throws CliError `refused` with every reason; Fault.
   */
  async run(cancel?: { readonly waitMs: number }): Promise<ErasureReport> {
    const status = await this.#requireKnown();
    const isFinished = await this.#finishFormer();
    if (isFinished && status === 'registered') return this.#finish([], true);
    const canceled = cancel === undefined ? [] : await this.#cancel();
    if (cancel !== undefined) await this.#sendOut(cancel.waitMs, canceled);
    if (status !== 'erased') this.#refuseWhileOpen(await this.#findOpen());
    await this.#append();
    await this.#truncate();
    return this.#finish(canceled, false);
  }

  /**
   * A run that was killed has left a key that must go, whatever is open by now: the player may have come back.
   *
   * @returns whether there was one.
   */
  async #finishFormer(): Promise<boolean> {
    const { store, player } = this.options;
    if ((await readErasure(store, player))?.due !== 'truncation') return false;
    await this.#truncate();
    return true;
  }

  async #finish(canceled: readonly string[], hasReturned: boolean): Promise<ErasureReport> {
    const { store, player } = this.options;
    const late = hasReturned ? [] : await this.#findOpen();
    const mayScavenge = await startScavenge(store, player);
    const erasure = await readErasure(store, player);
    assertDefect(erasure !== undefined, 'a player was erased');
    return { erasure, canceled, mayScavenge, hasReturned, late };
  }

  /** A pseudonym that was mistyped erases nothing, and must not seem to. */
  async #requireKnown(): Promise<Player['status']> {
    const { commands, store, player, app } = this.options;
    await this.#purchases.readOn();
    for await (const { metadata } of store.readStream(playerStream(player), { maxCount: 1 })) {
      if (metadata.appId !== app.appId) throw unknownPlayer(app, player);
    }
    const { state, revision } = await commands.load(playerAggregate, player);
    if (revision < 0 && this.#purchases.isEmpty) throw unknownPlayer(app, player);
    return state.status;
  }

  /** Ends all subscriptions and unpaid orders at once, or none where something else is in the way. @returns their ids. */
  async #cancel(): Promise<string[]> {
    const open = await this.#findOpen();
    this.#refuseWhileOpen(open.filter(({ kind }) => kind !== 'subscription' && kind !== 'order'));
    const context = await this.#context();
    const canceled: string[] = [];
    for (const purchase of open) {
      // One that has ended meanwhile is refused, as wanted.
      if (await this.#cancelOne(purchase, context)) canceled.push(purchase.id);
    }
    return canceled;
  }

  async #cancelOne({ kind, id }: OpenPurchase, context: CommandContext): Promise<boolean> {
    const { commands } = this.options;
    const { now } = context;
    if (kind === 'order') {
      const reason = 'canceled_by_player' as const;
      const wallNow = wallClock.now();
      const command = { kind: 'CancelOrder', reason, personal: {}, now, wallNow } as const;
      return (await commands.execute(orderAggregate, id, command, context)).accepted;
    }
    const command = { kind: 'CancelSubscription', cancelAtPeriodEnd: false, now } as const;
    return (await commands.execute(subscriptionAggregate, id, command, context)).accepted;
  }

  async #sendOut(limitMs: number, canceled: readonly string[]): Promise<void> {
    const { store, player, commands, app, onProgress } = this.options;
    await this.#purchases.readOn();
    const purchases = this.#purchases;
    const owed = new OwedMessages({ store, commands, appId: app.appId, purchases });
    const left = await awaitDeliveries({
      ...{ store, player, purchases, owed, limitMs },
      onProgress: (share) => onProgress('sending webhooks', share),
    });
    if (!left.isComplete || left.messages > 0) throw notSent(left, limitMs, canceled);
  }

  async #findOpen(): Promise<OpenPurchase[]> {
    await this.#purchases.readOn();
    return findOpen(this.options.commands, this.#purchases);
  }

  #refuseWhileOpen(open: readonly OpenPurchase[]): void {
    if (open.length === 0) return;
    const message = `The player ${this.options.player} is not erased, since this is open.`;
    throw new CliError(message, 'refused', describeOpen(open), 'PLAYER_HAS_OPEN_PURCHASES');
  }

  /** Of two erasures at once, one appends. From here on no key opens the player's texts. */
  async #append(): Promise<void> {
    const { commands, player } = this.options;
    const context = await this.#context();
    const command = { kind: 'ErasePlayer', now: context.now } as const;
    const result = await commands.execute(playerAggregate, player, command, context);
    assertDefect(result.accepted, 'an erasure is never rejected');
  }

  /** The key and the account id stand before the event that erased them; the event itself stays. */
  async #truncate(): Promise<void> {
    const { store, player } = this.options;
    const erasure = await readErasure(store, player);
    assertDefect(erasure !== undefined, 'a player was erased');
    if (erasure.due !== 'truncation') return;
    await store.truncations.truncate(playerStream(player), erasure.revision);
  }

  /** The app's own time, as for all that is done in it. */
  async #context(): Promise<CommandContext & { readonly player: string }> {
    const { commands, app, player } = this.options;
    const { appId, environment } = app;
    const { state: clock } = await commands.load(testClockAggregate, appId);
    const now = testClockNow(clock, wallClock.now());
    return { appId, environment, player, now, actor: 'cli', correlationId: newUuid() };
  }
}

function unknownPlayer({ appId }: CreatedApp, player: string): CliError {
  return new CliError(`The app ${appId} has no player ${player}.`);
}

function notSent(
  { isComplete, messages }: Undelivered,
  limitMs: number,
  canceled: readonly string[],
): CliError {
  const what = isComplete ? `${messages} webhooks` : 'Webhooks';
  return new CliError(
    `${what} about the player are not delivered after ${limitMs / 1000} s, so that nothing was erased. ` +
      'Run the command again to wait on, or without --cancel to erase at once: undelivered webhooks ' +
      'is never sent then.',
    'refused',
    canceled.map((id) => `${id} was ended`),
    'WEBHOOKS_NOT_DELIVERED',
  );
}
