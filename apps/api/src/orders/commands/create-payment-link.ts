import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { pickClassing } from '#domain/bookkeeping';
import type { Position } from '#domain/event';
import { financeAggregate } from '#domain/finance';
import { readPlayerBucket } from '#domain/ids';
import {
  type CreatedOrder,
  type OrderItem,
  orderAggregate,
  orderLinkAggregate,
} from '#domain/order';
import {
  type CommandContext,
  CommandContexts,
  commandWith,
  invalidFields,
  Ledger,
  OrderPlacement,
} from '#nest';
import type { CheckoutLinkDto } from '../../checkout-links/checkout-link.dto.js';
import type { Creation } from '../../commands/creations.js';
import { PlayerLinks, Players } from '../../commands/player-links.js';
import { paymentLinkViolations, readItems } from '../order-rules.js';
import type { CreatePaymentLinkBody } from '../order.dto.js';
import { OrderCreations } from './order-creations.js';

/** Makes an order of a studio's backend with a link to the page where its player pays it (rules/orders 1). */
export class CreatePaymentLink extends commandWith<
  { order: CreatePaymentLinkBody; context: CommandContext },
  CheckoutLinkDto
>() {}

@CommandHandler(CreatePaymentLink)
export class CreatePaymentLinkHandler implements ICommandHandler<CreatePaymentLink> {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly creations: OrderCreations,
    private readonly players: Players,
    private readonly placement: OrderPlacement,
    private readonly links: PlayerLinks,
  ) {}

  async execute({ order: body, context: keyed }: CreatePaymentLink): Promise<CheckoutLinkDto> {
    const { environment, appId } = keyed;
    const violations = paymentLinkViolations(body, environment);
    if (violations.length > 0) throw invalidFields(violations);
    const player = await this.players.find(appId, body.user.id);
    const bucket = readPlayerBucket(player);
    const keys = await this.creations.readKeys(body, keyed);
    const repeated = await this.creations.repeated(keys, bucket);
    const made = repeated && (await this.findMade(repeated.id));
    if (repeated && made) {
      await this.creations.bind(keys, repeated);
      return this.links.answer(made.order.checkoutLinkId, made.position, true);
    }
    await this.links.requireGateway(appId);
    const creation = await this.creations.begin(keys, bucket);
    return this.place({ body, items: await this.classed(appId, body), creation, player });
  }

  /** Items with the metadata by which finance tells their classes apart (rules/finance 4). */
  private async classed(appId: string, body: CreatePaymentLinkBody): Promise<readonly OrderItem[]> {
    const items = readItems(body);
    const hasMetadata = body.items.some(({ metadata = {} }) => Object.keys(metadata).length > 0);
    if (!hasMetadata) return items;
    const { policies } = (await this.ledger.load(financeAggregate, appId)).state;
    return items.map((item, at) => {
      const classedBy = pickClassing(body.items[at]?.metadata ?? {}, policies);
      return Object.keys(classedBy).length === 0 ? item : { ...item, classedBy };
    });
  }

  private async place(wanted: {
    body: CreatePaymentLinkBody;
    items: readonly OrderItem[];
    creation: Creation;
    player: string;
  }): Promise<CheckoutLinkDto> {
    const { body, items, creation, player } = wanted;
    const context = { ...creation.context, player };
    const { transactionId, currency, regionCode, returnUrl, language, metadata, user } = body;
    const itemMetadata = body.items.map((item) => item.metadata ?? {});
    const texts = { metadata, email: user.email, itemMetadata };
    const { defaultRegionCode } = await this.contexts.requireApp(context.appId);
    const personal = await this.players.seal(context, user.id, texts);
    const { order, position } = await this.placement.place(
      {
        ...{ orderId: creation.id, source: 'ServicePay', items, currency, personal },
        ...(transactionId !== undefined && { transactionId }),
        ...(regionCode !== undefined && { regionCode }),
        fallbackRegionCode: defaultRegionCode,
        ...(returnUrl !== undefined && { returnUrl }),
        ...(language !== undefined && { language }),
      },
      context,
    );
    return this.links.answer(order.checkoutLinkId, position, creation.isRepeated);
  }

  /** An order with its link; undefined where a crash came before both were there. */
  private async findMade(
    orderId: string,
  ): Promise<{ order: CreatedOrder; position: Position | null } | undefined> {
    const { state: order, position } = await this.ledger.load(orderAggregate, orderId, {
      toRevision: 0,
    });
    if (order.status === 'none') return undefined;
    const { state: link } = await this.ledger.load(orderLinkAggregate, order.checkoutLinkId);
    return link.status === 'none' ? undefined : { order, position };
  }
}
