import type { CommandContext } from '#event-store';
import type { SettledCharge } from './gateway.js';
import type { SandboxCharge } from './sandbox-account.js';

const METHOD_DETAILS = { paymentMethodSubType: 'sandbox', issuerBank: 'Sandbox Bank' };

/** An outcome in the sandbox's books, as the port tells it. */
export function toSettled(outcome: Exclude<SandboxCharge['outcome'], 'pending'>): SettledCharge {
  if (outcome === 'captured') return { status: 'captured', method: METHOD_DETAILS };
  return { status: 'declined', decline: outcome, method: METHOD_DETAILS };
}

/** The sandbox is no tenant: its events belong to no app. */
export function contextAt(now: string, key: string): CommandContext {
  return {
    appId: 'sandbox',
    environment: 'test',
    actor: 'process:sandbox_gateway',
    correlationId: key,
    now,
  };
}
