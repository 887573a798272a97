import { Inject, Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import type { Instant, Position } from '#domain/event';
import { readBucket } from '#domain/ids';
import type { PaymentGateways } from '#gateway';
import { answer, CLOCK, CommandContexts, gatewayNotConfigured } from '#nest';
import type { Clock } from '#platform';
import type { AppSecrets, PersonalData } from '#tenancy';
import type { ApiConfig } from '../config.js';
import { APP_SECRETS, CONFIG, GATEWAYS, PERSONAL_DATA } from '../tokens.js';

/** Players by the ids that studios give them: inside of us each has a pseudonym (rules/storage 6). */
@Injectable()
export class Players {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'seal'>,
  ) {}

  /** The player's pseudonym. @throws ApiError when there is no such app. */
  async find(appId: string, externalAccountId: string): Promise<string> {
    return this.secrets.pseudonym(await this.contexts.requireApp(appId), externalAccountId);
  }

  /** Seals a new object's texts about a player, who is registered before where that is the first one. */
  seal(...asked: Parameters<PersonalData['seal']>): ReturnType<PersonalData['seal']> {
    return this.personalData.seal(...asked);
  }
}

/** A link as the answer of its creation has it. */
interface LinkAnswer {
  readonly id: string;
  readonly url: string;
}

/** Links that lead players to pages of the storefront. */
@Injectable()
export class PlayerLinks {
  constructor(
    @Inject(GATEWAYS) private readonly gateways: Pick<PaymentGateways, 'find'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'storefrontUrl'>,
  ) {}

  /** @throws ApiError unless the app has a gateway: no page could take a payment. */
  async requireGateway(appId: string): Promise<void> {
    if ((await this.gateways.find(appId)) === undefined) throw gatewayNotConfigured();
  }

  /** The end of a link that is made now: it lives on the wall clock, whatever the app's clock shows. */
  expiryAfter(lifetimeMs: number): Instant {
    return addMilliseconds(this.clock.now(), lifetimeMs);
  }

  /** The address in the webshop that opens it with a token. */
  shopUrl(token: string): string {
    return `${this.config.storefrontUrl}/shop/enter/${token}`;
  }

  /** Answers with a link to a page where a player pays. @param position null where it was made before. */
  answer(id: string, position: Position | null, replayed: boolean): LinkAnswer {
    const url = `${this.config.storefrontUrl}/checkout/${id}`;
    return answer({ id, url }, { position, bucket: readBucket(id), replayed });
  }
}
