import type { GatewayCharge, GatewayRefund } from '#gateway';

let charges = 0;

/** A charge under a key, and for a reference, of its own. */
export function buildCharge(paymentMethod: string): GatewayCharge {
  charges += 1;
  return {
    key: `pay_${process.pid}_${charges}`,
    reference: `sub_${process.pid}_${charges}`,
    paymentMethod,
    amount: { amountMinor: '999', currency: 'USD' },
    offSession: false,
  };
}

export function buildRefund(
  charge: GatewayCharge,
  name: string,
  amountMinor: string,
): GatewayRefund {
  const { key: chargeKey, reference } = charge;
  return {
    key: `${chargeKey}.${name}`,
    chargeKey,
    reference,
    amount: { amountMinor, currency: 'USD' },
  };
}

/** A gateway that others keep busy, or whose answers are lost, is asked again; its callers do. */
export async function askTillAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}
