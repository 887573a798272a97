import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandContexts, type CommandSource, commandWith } from '#nest';
import { chooseRegion, type PlayerOrigin } from '../origin/player-origin.js';
import { OrderLinks } from './order-links.js';
import { OrderOpenings } from './order-openings.js';

/** The script of an order's page says that a browser shows the page (rules/orders 6). */
export class OpenOrder extends commandWith<{
  linkId: string;
  origin: PlayerOrigin;
  source: CommandSource;
}>() {}

@CommandHandler(OpenOrder)
export class OpenOrderHandler implements ICommandHandler<OpenOrder> {
  constructor(
    private readonly links: OrderLinks,
    private readonly contexts: CommandContexts,
    private readonly openings: OrderOpenings,
  ) {}

  /** @throws ApiError where there is no such link of an order. */
  async execute({ linkId, origin, source }: OpenOrder): Promise<void> {
    const order = await this.links.find(linkId);
    const app = await this.contexts.requireApp(order.appId);
    await this.openings.record(order, chooseRegion(order.regionCode, origin, app), source);
  }
}
