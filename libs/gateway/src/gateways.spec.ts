import { describe, expect, it, jest } from '@jest/globals';
import { createCommandExecutor, type EventStore } from '#event-store';
import { wallClock } from '#platform';
import { createGateways, type SandboxInProductionApps } from './gateways.js';
import { GATEWAY_CALL_LIMIT_MS } from './limit-calls.js';

/** Which gateway serves which app (rules/payments 1). */
describe('the gateway of an app', () => {
  it('is the sandbox for test apps, whatever is set', () => {
    for (const setting of ['none', 'trial'] as const) {
      expect(gatewaysWith(setting).of('test')?.knows('pm_ok')).toBe(true);
    }
  });

  it('is missing for production apps: test cards must not pay there', () => {
    expect(gatewaysWith('none').of('production')).toBeUndefined();
  });

  it('is the sandbox for production apps in a trial run', () => {
    expect(gatewaysWith('trial').of('production')?.knows('pm_ok')).toBe(true);
  });

  it('is not waited for without a limit', async () => {
    jest.useFakeTimers();
    // A store that never answers, under the sandbox.
    const store = { readStream: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) };
    const gateway = gatewaysWith('none', store as unknown as EventStore).of('test');
    const call = gateway?.findCharge({ key: 'pay_1', reference: 'sub_1' });
    const answer = expect(call).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    await jest.advanceTimersByTimeAsync(GATEWAY_CALL_LIMIT_MS);
    jest.useRealTimers();
    await answer;
  });
});

const never = () => new Promise<never>(() => undefined);

function gatewaysWith(
  sandboxInProductionApps: SandboxInProductionApps,
  // The choice is made before any charge: no store is ever asked.
  store = {} as EventStore,
) {
  const commands = createCommandExecutor(store);
  return createGateways({ commands, clock: wallClock, sandboxInProductionApps });
}
