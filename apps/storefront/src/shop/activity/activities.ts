import { Inject, Injectable } from '@nestjs/common';
import { ACTIVITY_CATEGORY, type ActivityEvent } from '#domain/activity';
import { eventsToAppend, type LedgerStore } from '#event-store';
import { CommandContexts, type CommandSource, EVENT_STORE, LOG } from '#nest';
import { type Log, warnSeldom } from '#platform';
import type { Visitor } from '../session/visitor.js';

/** They are statistics: webhooks of them are tried for three days, and nothing else reads them (decision 0034). */
const KEPT = { maxAgeSeconds: 7 * 86_400 } as const;

/** Whose activity it is. */
export type ActivePlayer = Pick<Visitor, 'appId' | 'player' | 'regionCode'>;
type Told<Event> = Event extends ActivityEvent
  ? { readonly type: Event['type']; readonly data: Omit<Event['data'], 'regionCode' | 'seenAt'> }
  : never;

/** Records the player's views in the shop, each in a short-lived stream of their own (rules/webshop 7). */
@Injectable()
export class Activities {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(EVENT_STORE) private readonly store: Pick<LedgerStore, 'append' | 'lifetimes'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Never throws: a page is shown, whether or not its view can be recorded. */
  async record(
    { appId, player, regionCode }: ActivePlayer,
    told: readonly Told<ActivityEvent>[],
    source: CommandSource,
  ): Promise<void> {
    // No player looks at a page of which the head alone is asked for.
    if (told.length === 0 || source.method === 'HEAD') return;
    const streamName = `${ACTIVITY_CATEGORY}-${player}`;
    try {
      const context = await this.contexts.withoutIdempotency(source, appId);
      const about = { ...context, actor: `player:${player}`, player };
      const seen = { regionCode, seenAt: context.now };
      const events = told.map(({ type, data }) => ({ type, data: { ...data, ...seen } }));
      await this.store.lifetimes.limit(streamName, KEPT);
      // Earlier events do not matter to it, and may be gone.
      await this.store.append(streamName, 'any', eventsToAppend(events, about, ''));
    } catch (error) {
      warnSeldom(this.log, error, "a player's view in the shop could not be recorded");
    }
  }
}
