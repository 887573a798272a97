import type { PaymentGateway, PaymentGateways } from '#gateway';

/** Puts something before the gateways that charge and refund. @returns the function that takes it away. */
export function wrapGateways(
  gateways: PaymentGateways,
  wrap: (gateway: PaymentGateway) => PaymentGateway,
): () => void {
  const findFor = gateways.findFor.bind(gateways);
  gateways.findFor = async (appId, paymentMethod) => {
    const gateway = await findFor(appId, paymentMethod);
    return gateway && wrap(gateway);
  };
  return () => {
    gateways.findFor = findFor;
  };
}
