import { describe, expect, it } from '@jest/globals';
import { createCommandExecutor, type EventStore } from '#event-store';
import { wallClock } from '#platform';
import { createGateways, type SandboxInProductionApps } from './gateways.js';

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
});

function gatewaysWith(sandboxInProductionApps: SandboxInProductionApps) {
  // The choice is made before any charge: no store is ever asked.
  const commands = createCommandExecutor({} as EventStore);
  return createGateways({ commands, clock: wallClock, sandboxInProductionApps });
}
