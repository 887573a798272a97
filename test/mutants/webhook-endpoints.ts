import type { Mutant } from './mutant.js';

const DOMAIN = 'libs/domain/src/webhook-endpoint';
const SPECS = [`${DOMAIN}/webhook-endpoint.spec.ts`];

/** Guards of what an endpoint is and what it is sent. */
export const WEBHOOK_ENDPOINT_MUTANTS: readonly Mutant[] = [
  {
    name: 'an endpoint is disabled by what another address answered',
    harm: 'A 410 of the old address, or of before it was enabled, stops the webhooks of the new one.',
    file: `${DOMAIN}/webhook-endpoint.decide.ts`,
    guard: 'if (url !== state.url || enabledAt !== state.enabledAt) return accept();',
    without: '',
    specs: SPECS,
  },
  {
    name: 'a former secret outlives a rotation that ends it',
    harm: 'A secret that leaked goes on to sign webhooks that receivers take for genuine.',
    file: `${DOMAIN}/webhook-endpoint.state.ts`,
    guard: 'expiresAt === null || oldExpiresAt < expiresAt ? oldExpiresAt : expiresAt',
    without: 'expiresAt ?? oldExpiresAt',
    specs: SPECS,
  },
  {
    name: 'a secret that has expired still signs',
    harm: 'A rotation ends nothing: the former secret is good for ever.',
    file: `${DOMAIN}/webhook-endpoint.state.ts`,
    guard: 'expiresAt === null || wallNow < expiresAt',
    without: "expiresAt === null || wallNow !== ''",
    specs: [...SPECS, 'libs/tenancy/src/app-secrets.spec.ts'],
  },
  {
    name: 'what was asked for again is listed as failed for good',
    harm: 'A merchant who asks for all that failed is sent the same messages each time.',
    file: 'apps/api/src/manage/webhook-endpoints/failed-deliveries.ts',
    guard: "(askedAgain.get(messageId) ?? '') <= position",
    without: "(askedAgain.get(messageId) ?? '') >= ''",
    specs: ['apps/api/src/manage/webhook-endpoints/resendable-messages.spec.ts'],
  },
  {
    name: 'a message of an erased player is sent again',
    harm: 'What the player had forgotten leaves the ledger once more.',
    file: 'apps/api/src/manage/webhook-endpoints/resendable-messages.ts',
    guard: 'if (!access.wasErasedAfter(event.position)) return name(found);',
    without: 'if (access !== null) return name(found);',
    specs: ['apps/api/src/manage/webhook-endpoints/resendable-messages.spec.ts'],
  },
];
