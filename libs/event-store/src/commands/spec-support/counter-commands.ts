/** Commands on a counter, with their contexts, for the specs of the command executor. */
import type { CommandContext } from '../command-context.js';

export const NOW = '2026-01-31T10:00:00.000Z';
export const context: CommandContext = {
  appId: 'app_1',
  environment: 'test',
  actor: 'player:7',
  correlationId: 'request-1',
  now: NOW,
};
export const add = (amount: number) => ({ kind: 'add' as const, amount });
export const raise = (to: number) => ({ kind: 'raise' as const, to });
