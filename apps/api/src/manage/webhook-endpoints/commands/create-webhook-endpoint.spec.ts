import { expect, it } from 'vitest';
import type { Ledger } from '#nest';
import { Fault } from '#platform';
import type { AppDirectory, AppSecrets } from '#tenancy';
import type { FollowedLedger } from '../../followed-ledger.js';
import type { EndpointRules } from '../endpoint-rules.js';
import { Creations } from '../../../commands/creations.js';
import { CreateWebhookEndpoint, CreateWebhookEndpointHandler } from './create-webhook-endpoint.js';

const NOW = '2027-01-31T10:00:00.000Z';
const endpoint = { url: 'https://studio.example/', eventTypes: ['*'], accept: '2xx' } as const;
const context = {
  ...{ appId: 'app_1', actor: 'operator:x' },
  environment: 'test',
  ...{ correlationId: 'r', now: NOW },
} as const;

function create(failing?: string) {
  const acts: string[] = [];
  const ledger = {
    execute: async ({ category }: { category: string }, id: string, command: object) => {
      acts.push(
        `${category}-${id.slice(0, 4)} ${JSON.stringify('gone' in command && command.gone)}`,
      );
      if (category === failing) throw new Fault('unavailable', 'away', { retryable: true });
      return { accepted: true, state: {}, events: [{}], revision: 0, position: null };
    },
  };
  const handler = new CreateWebhookEndpointHandler(
    ledger as unknown as FollowedLedger,
    { requireNew: async () => undefined } as unknown as EndpointRules,
    new Creations(ledger as unknown as Ledger),
    { findGoneEndpoints: async () => ['whe_gone'] } as Partial<AppDirectory> as AppDirectory,
    { create: () => ({ shown: 'shown', sealed: 'sealed' }) } as Partial<AppSecrets> as AppSecrets,
  );
  const body = { ...endpoint, eventTypes: ['*'], description: '', maxPerSecond: null };
  return {
    acts,
    run: () => handler.execute(new CreateWebhookEndpoint({ endpoint: body, context })),
  };
}

it('an endpoint is listed before it is created, so that a crash leaves none that is in no list', async () => {
  const { acts, run } = create();
  await run();
  expect(acts).toEqual(['endpoint_list-app_ ["whe_gone"]', 'webhook_endpoint-whe_ false']);
});

it('an endpoint that could not be listed is not created', async () => {
  const { acts, run } = create('endpoint_list');
  await expect(run()).rejects.toThrow('away');
  expect(acts).toHaveLength(1);
});
