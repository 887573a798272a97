import { Inject, Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import type { Instant, Position } from '#domain/event';
import { readBucket } from '#domain/ids';
import type { PaymentGateways } from '#gateway';
import { answer, CLOCK, gatewayNotConfigured } from '#nest';
import type { Clock } from '#platform';
import type { ApiConfig } from '../config.js';
import { CONFIG, GATEWAYS } from '../tokens.js';

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
