import { createHmac } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Position } from '#domain/event';
import { readBucket, readPlayerBucket } from '#domain/ids';
import {
  type CreatedOrder,
  type OrderItem,
  orderAggregate,
  orderLinkAggregate,
} from '#domain/order';
import type { PaymentGateways } from '#gateway';
import {
  answer,
  type CommandContext,
  CommandContexts,
  gatewayNotConfigured,
  invalidFields,
  Ledger,
  OrderPlacement,
} from '#nest';
import type { AppSecrets, PersonalData } from '#tenancy';
import type { CheckoutLinkDto } from '../../checkout-links/checkout-link.dto.js';
import { type Creation, Creations } from '../../commands/creations.js';
import { Players } from '../../commands/players.js';
import type { ApiConfig } from '../../config.js';
import { APP_SECRETS, CONFIG, GATEWAYS, PERSONAL_DATA } from '../../tokens.js';
import { paymentLinkViolations, readItems } from '../order-rules.js';
import type { CreatePaymentLinkBody } from '../order.dto.js';

/** Makes an order of a studio's backend with a link to the page where its player pays it (rules/orders 1). */
export class CreatePaymentLink extends Command<CheckoutLinkDto> {
  constructor(
    readonly order: CreatePaymentLinkBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** What gives its id to the order of a transaction. It ends with what no `Idempotency-Key` can hold. */
const TRANSACTION = 'transaction\n';

@CommandHandler(CreatePaymentLink)
export class CreatePaymentLinkHandler implements ICommandHandler<CreatePaymentLink> {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly creations: Creations,
    private readonly players: Players,
    private readonly placement: OrderPlacement,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(APP_SECRETS) private readonly secrets: Pick<AppSecrets, 'commandHashKey'>,
    @Inject(CONFIG) private readonly config: ApiConfig,
  ) {}

  async execute({ order: body, context: keyed }: CreatePaymentLink): Promise<CheckoutLinkDto> {
    const { environment, appId } = keyed;
    const violations = paymentLinkViolations(body, environment);
    if (violations.length > 0) throw invalidFields(violations);
    const items = readItems(body);
    const player = await this.players.find(appId, body.user.id);
    const bucket = readPlayerBucket(player);
    const byTransaction = await this.keyOfTransaction(body, keyed);
    const repeated =
      (await this.creations.repeated('ord', keyed, bucket)) ??
      (await this.creations.repeated('ord', byTransaction, bucket));
    const made = repeated && (await this.findMade(repeated.id));
    if (repeated && made) {
      await this.creations.bind(byTransaction, repeated);
      await this.creations.bind(keyed, repeated);
      return this.answer(made.order.checkoutLinkId, made.position, true);
    }
    if ((await this.gateways.find(appId)) === undefined) throw gatewayNotConfigured();
    const creation = await this.begin(keyed, byTransaction, bucket);
    return this.place({ body, items, creation, player });
  }

  /** A transaction counts before a key, since it is the studio's word for the purchase itself. */
  private async begin(
    keyed: CommandContext,
    byTransaction: CommandContext,
    bucket: string,
  ): Promise<Creation> {
    if (byTransaction.commandId === undefined) return this.creations.begin('ord', keyed, bucket);
    const creation = await this.creations.begin('ord', byTransaction, bucket);
    await this.creations.bind(keyed, creation);
    return creation;
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
    const personal = await this.personalData.seal(context, user.id, texts);
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
    return this.answer(order.checkoutLinkId, position, creation.isRepeated);
  }

  /**
   * The same `transactionId` makes one order, as the same `Idempotency-Key` does: with another body it is refused. A
   * context without a key where no transaction is named.
   */
  private async keyOfTransaction(
    body: CreatePaymentLinkBody,
    { commandId: _id, commandHash: _hash, ...context }: CommandContext,
  ): Promise<CommandContext> {
    if (body.transactionId === undefined) return context;
    const key = this.secrets.commandHashKey(await this.contexts.requireApp(context.appId));
    const asked = createHmac('sha256', key).update(TRANSACTION).update(JSON.stringify(body));
    const commandHash = asked.digest('base64url');
    return { ...context, commandId: `${TRANSACTION}${body.transactionId}`, commandHash };
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

  private answer(linkId: string, position: Position | null, replayed: boolean): CheckoutLinkDto {
    const url = `${this.config.storefrontUrl}/checkout/${linkId}`;
    return answer({ id: linkId, url }, { position, bucket: readBucket(linkId), replayed });
  }
}
