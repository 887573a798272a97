import type { Environment } from '#domain/event';
import type { CommandExecutor } from '#event-store';
import type { Clock } from '#platform';
import type { PaymentGateway } from './gateway.js';
import { limitCalls } from './limit-calls.js';
import { createSandboxGateway } from './sandbox-gateway.js';

/** Which apps the sandbox may serve beside test apps: none, or all of them, for a trial run. */
export type SandboxInProductionApps = 'none' | 'trial';

/** The payment gateways of all apps. */
export interface PaymentGateways {
  /** The gateway that serves an app of this environment; undefined where none is configured. */
  of(environment: Environment): PaymentGateway | undefined;
}

/**
 * The sandbox gateway for test apps. A production app must never be paid with test cards
 * (rules/payments 1): it has no gateway, unless the operator has asked for a trial run. No call to any of
 * them takes longer than its limit.
 */
export function createGateways(options: {
  readonly commands: CommandExecutor;
  readonly clock: Clock;
  readonly sandboxInProductionApps: SandboxInProductionApps;
}): PaymentGateways {
  const sandbox = limitCalls(createSandboxGateway(options));
  const servesAll = options.sandboxInProductionApps === 'trial';
  return { of: (environment) => (environment === 'test' || servesAll ? sandbox : undefined) };
}
