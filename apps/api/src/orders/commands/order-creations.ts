import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type CommandContext, CommandContexts } from '#nest';
import type { AppSecrets } from '#tenancy';
import { type Creation, Creations } from '../../commands/creations.js';
import { APP_SECRETS } from '../../tokens.js';
import type { CreatePaymentLinkBody } from '../order.dto.js';

const PREFIX = 'ord';
/** Begins the key of a transaction. The line feed keeps it apart from every `Idempotency-Key`. */
const TRANSACTION = 'transaction\n';

/** The contexts of a request: one with its `Idempotency-Key`, and one with the key of its transaction. */
interface OrderKeys {
  readonly keyed: CommandContext;
  readonly byTransaction: CommandContext;
}

/** Gives orders their ids: by the studio's `transactionId`, and by the `Idempotency-Key` (rules/orders 1). */
@Injectable()
export class OrderCreations {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly creations: Creations,
    @Inject(APP_SECRETS) private readonly secrets: Pick<AppSecrets, 'commandHashKey'>,
  ) {}

  /**
   * The keys of a request. The same `transactionId` makes one order, as the same `Idempotency-Key` does: with another
   * body it is refused. The second context has no key where no transaction is named.
   */
  async readKeys(body: CreatePaymentLinkBody, keyed: CommandContext): Promise<OrderKeys> {
    const { commandId: _id, commandHash: _hash, ...context } = keyed;
    if (body.transactionId === undefined) return { keyed, byTransaction: context };
    const key = this.secrets.commandHashKey(await this.contexts.requireApp(context.appId));
    const asked = createHmac('sha256', key).update(TRANSACTION).update(JSON.stringify(body));
    const commandHash = asked.digest('base64url');
    const commandId = `${TRANSACTION}${body.transactionId}`;
    return { keyed, byTransaction: { ...context, commandId, commandHash } };
  }

  /** The order that either key made before; undefined where none did. */
  async repeated({ keyed, byTransaction }: OrderKeys, bucket: string) {
    const byKey = await this.creations.repeated(PREFIX, keyed, bucket);
    return byKey ?? this.creations.repeated(PREFIX, byTransaction, bucket);
  }

  /** Lets both keys stand for an order that is there. */
  async bind({ keyed, byTransaction }: OrderKeys, creation: Creation): Promise<void> {
    await this.creations.bind(byTransaction, creation);
    await this.creations.bind(keyed, creation);
  }

  /** A transaction counts before a key, since it is the studio's word for the purchase itself. */
  async begin({ keyed, byTransaction }: OrderKeys, bucket: string): Promise<Creation> {
    if (byTransaction.commandId === undefined) return this.creations.begin(PREFIX, keyed, bucket);
    const creation = await this.creations.begin(PREFIX, byTransaction, bucket);
    await this.creations.bind(keyed, creation);
    return creation;
  }
}
