import { expect, it } from 'vitest';
import { EndpointRules } from './endpoint-rules.js';

/** The rules of an app that has so many endpoints. */
function rulesWith(count: number, sealWitness = false): EndpointRules {
  const endpoints = Array.from({ length: count }, () => ({}));
  // Of the app, its environment and one setting are looked at; of the configuration, where webhooks may go.
  const contexts = {
    requireApp: async () => ({ environment: 'production', sealWitness }),
  } as never;
  const config = { allowInsecureTargets: 'none', webhookPorts: [[443, 443]] } as never;
  return new EndpointRules(contexts, { listEndpoints: () => endpoints } as never, config);
}

const good = { url: 'https://game.example/hook', eventTypes: ['*'] };

it('an app can have 32 endpoints, and one more is a failed precondition', async () => {
  await rulesWith(31).requireNew('app_1', good);
  await expect(rulesWith(32).requireNew('app_1', good)).rejects.toMatchObject({
    ...{ status: 'FAILED_PRECONDITION', reason: 'TOO_MANY_WEBHOOK_ENDPOINTS' },
    ...{ fieldViolations: [], metadata: { limit: '32' } },
  });
});

it('bad fields of one more are named first', async () => {
  const bad = { url: 'ftp://game.example', eventTypes: ['none'] };
  await expect(rulesWith(32).requireNew('app_1', bad)).rejects.toMatchObject({
    reason: 'INVALID_FIELDS',
    fieldViolations: [{ field: 'url' }, { field: 'eventTypes.0' }],
  });
});

it('the checkpoints of the ledger are for apps that may witness it', async () => {
  const witness = { ...good, eventTypes: ['*', 'ledger.sealed'] };
  await rulesWith(1, true).requireSettings('app_1', witness);
  await rulesWith(1).requireSettings('app_1', good);
  await expect(rulesWith(1).requireSettings('app_1', witness)).rejects.toMatchObject({
    reason: 'INVALID_FIELDS',
    fieldViolations: [
      { field: 'eventTypes.1', description: expect.stringContaining('sets sealWitness') },
    ],
  });
});
