import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandSource, commandWith } from '#nest';
import { indexItems, PlayerCatalogs, type CatalogReader } from '../catalog/player-catalogs.js';
import { VisitLimits } from '../http/visit-limits.js';
import type { Visitor } from '../session/visitor.js';
import { Activities } from './activities.js';
import { ViewedItems } from './viewed-items.js';

/** A browser says which items a player was shown (rules/webshop 7). */
export class RecordViews extends commandWith<{
  reader: CatalogReader & { visitor: Visitor };
  itemIds: string[];
  source: CommandSource;
}>() {}

@CommandHandler(RecordViews)
export class RecordViewsHandler implements ICommandHandler<RecordViews> {
  constructor(
    private readonly catalogs: PlayerCatalogs,
    private readonly viewed: ViewedItems,
    private readonly activities: Activities,
    private readonly limits: VisitLimits,
  ) {}

  /** @throws ApiError 8 for too much at once, 14 without a catalog. */
  async execute({ reader, itemIds, source }: RecordViews): Promise<void> {
    const { visitor } = reader;
    this.limits.require(visitor.player);
    const items = indexItems(await this.catalogs.read(reader));
    // A browser may say anything: an item outside the player's catalog was not shown.
    const shown = itemIds.filter((itemId) => items.has(itemId));
    const toTell = await this.viewed.claim(visitor.player, shown);
    const type = 'activity.item_viewed.v1' as const;
    const told = toTell.map((itemId) => ({ type, data: { itemId } }));
    await this.activities.record(visitor, told, source);
  }
}
