import { describe, expect, it, vi } from 'vitest';
import type { CreatedApp } from '#domain/app';
import { createCommandExecutor, type EventStore } from '#event-store';
import { wallClock } from '#platform';
import type { SandboxInProductionApps } from '../gateways.js';
import { GATEWAY_CALL_LIMIT_MS } from '../limit-calls.js';
import { createGateways } from './app-gateways.js';

const STRIPE_CARD = 'cus_1/pm_1';

/** Which gateway serves which app (rules/payments 1, rules/stripe 8). */
describe('the gateway of an app', () => {
  it('is the sandbox for test apps, whatever is set', async () => {
    for (const setting of ['none', 'trial'] as const) {
      const { gateways } = gatewaysWith(setting);
      expect((await gateways.find('app_1'))?.knows('pm_ok')).toBe(true);
      expect((await gateways.findFor('app_1', 'pm_ok'))?.knows('pm_ok')).toBe(true);
      expect(await gateways.findFor('app_1', STRIPE_CARD)).toBeUndefined();
    }
  });

  it('is missing for production apps: test cards must not pay there', async () => {
    const { gateways } = gatewaysWith('none', production);
    expect(await gateways.find('app_1')).toBeUndefined();
    expect(await gateways.findFor('app_1', 'pm_ok')).toBeUndefined();
    expect(await gateways.serves('app_1', 'sandbox')).toBe(false);
  });

  it('is the sandbox for production apps in a trial run', async () => {
    const { gateways } = gatewaysWith('trial', production);
    expect((await gateways.find('app_1'))?.knows('pm_ok')).toBe(true);
  });

  it('is missing where there is no app', async () => {
    const { gateways } = gatewaysWith('trial');
    expect(await gateways.find('app_2')).toBeUndefined();
    expect(await gateways.serves('app_2', 'sandbox')).toBe(false);
  });

  it('is Stripe for an app that was set to it, and the sandbox for what that took before', async () => {
    const { gateways, opened } = gatewaysWith('none', ofStripe('key-1'));
    const stripe = await gateways.find('app_1');
    expect([stripe?.knows(STRIPE_CARD), stripe?.knows('pm_ok')]).toEqual([true, false]);
    expect(await gateways.findFor('app_1', STRIPE_CARD)).toBe(stripe);
    expect((await gateways.findFor('app_1', 'pm_ok'))?.knows('pm_ok')).toBe(true);
    expect(opened).toEqual(['app_1 key-1']);
  });

  it('is Stripe for what that took, after the app went back to the sandbox', async () => {
    const back = {
      ...ofStripe('key-1'),
      gateway: { kind: 'sandbox', secretKeyEnding: '' } as const,
    };
    const { gateways } = gatewaysWith('none', back);
    expect((await gateways.find('app_1'))?.knows('pm_ok')).toBe(true);
    expect((await gateways.findFor('app_1', STRIPE_CARD))?.knows(STRIPE_CARD)).toBe(true);
    expect(await gateways.serves('app_1', 'stripe')).toBe(true);
  });

  it('is called by a new key as soon as the app has it', async () => {
    const { gateways, opened, set } = gatewaysWith('none', ofStripe('key-1'));
    const before = await gateways.find('app_1');
    set(ofStripe('key-2'));
    expect(await gateways.find('app_1')).not.toBe(before);
    expect(opened).toEqual(['app_1 key-1', 'app_1 key-2']);
  });

  it('is not waited for without a limit', async () => {
    // A store that never answers, under the sandbox.
    const store = { readStream: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) };
    const { gateways } = gatewaysWith('none', test, store as unknown as EventStore);
    const gateway = await gateways.find('app_1');
    vi.useFakeTimers();
    const call = gateway?.findCharge({ key: 'pay_1', reference: 'sub_1' });
    const answer = expect(call).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    await vi.advanceTimersByTimeAsync(GATEWAY_CALL_LIMIT_MS);
    vi.useRealTimers();
    await answer;
  });
});

type Served = Pick<CreatedApp, 'appId' | 'environment' | 'gateway' | 'stripeKeys'>;

const test: Served = {
  ...{ appId: 'app_1', environment: 'test', stripeKeys: null },
  gateway: { kind: 'sandbox', secretKeyEnding: '' },
};
const production: Served = { ...test, environment: 'production' };
const ofStripe = (sealedSecretKey: string): Served => ({
  ...test,
  gateway: { kind: 'stripe', secretKeyEnding: 'Zx9q' },
  stripeKeys: { sealedSecretKey, sealedWebhookSecret: 'sealed' },
});

const never = () => new Promise<never>(() => undefined);

function gatewaysWith(
  sandboxInProductionApps: SandboxInProductionApps,
  served = test,
  // The choice is made before any charge: no store is ever asked.
  store = {} as EventStore,
) {
  let app = served;
  const opened: string[] = [];
  const gateways = createGateways({
    ...{ commands: createCommandExecutor(store), clock: wallClock, sandboxInProductionApps },
    apps: { find: async (appId) => (appId === app.appId ? (app as CreatedApp) : undefined) },
    secrets: {
      open: (appId, purpose, sealed) => {
        if (purpose === 'Stripe secret key') opened.push(`${appId} ${sealed}`);
        return `sk_test_${sealed}`;
      },
    },
    stripeStandIn: undefined,
  });
  return { gateways, opened, set: (changed: Served) => (app = changed) };
}
