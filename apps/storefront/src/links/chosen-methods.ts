import { Inject, Injectable } from '@nestjs/common';
import type { PaymentGateways } from '#gateway';
import { type ApiError, gatewayNotConfigured, invalidFields } from '#nest';
import { GATEWAYS } from '../tokens.js';

/** The payment method that a click names. */
interface ChosenMethod {
  readonly paymentMethod: string | undefined;
  /** Whether the gateway vouches for the method: it was entered on its page, for this link. */
  readonly isEnteredAtGateway?: boolean;
}

/** Checks the methods of clicks against the gateway of the app (rules/payments 1). */
@Injectable()
export class ChosenMethods {
  constructor(@Inject(GATEWAYS) private readonly gateways: Pick<PaymentGateways, 'find'>) {}

  /** Why nothing can be charged now, or not by this method. */
  async findRefusal(
    appId: string,
    { paymentMethod, isEnteredAtGateway = false }: ChosenMethod,
  ): Promise<ApiError | undefined> {
    const gateway = await this.gateways.find(appId);
    if (gateway === undefined) return gatewayNotConfigured();
    if (paymentMethod === undefined || !gateway.knows(paymentMethod)) return unknownMethod();
    // A caller must not name another player's card: the gateway alone names the method that was entered for this link.
    if (gateway.cards === undefined || isEnteredAtGateway) return undefined;
    return badMethod("is entered on the gateway's own page, to which the page of the link leads");
  }
}

/** A click names a method that the gateway of the app does not know. */
function unknownMethod(): ApiError {
  return badMethod('must be a payment method that the gateway knows');
}

function badMethod(description: string): ApiError {
  return invalidFields([{ field: 'paymentMethod', description }]);
}
