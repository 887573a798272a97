import { describe, expect, it } from '@jest/globals';
import { given } from '../decider/spec-support/given.js';
import {
  coversEventType,
  webhookEndpointAggregate,
  type WebhookEndpointCreated,
  type WebhookEndpointDeleted,
} from './webhook-endpoint.js';

const T0 = '2027-01-31T10:00:00.000Z';
const { decider } = webhookEndpointAggregate;
const created: WebhookEndpointCreated = {
  type: 'webhook_endpoint.created.v1',
  data: {
    endpointId: 'whe_1',
    appId: 'app_1',
    url: 'https://studio.example/webhooks',
    eventTypes: ['*'],
    accept: '2xx',
    sealedSecret: 'sealed',
    createdAt: T0,
  },
};
const deleted: WebhookEndpointDeleted = {
  type: 'webhook_endpoint.deleted.v1',
  data: { deletedAt: T0 },
};
const create = { kind: 'CreateWebhookEndpoint', endpoint: created.data } as const;
const remove = { kind: 'DeleteWebhookEndpoint', now: T0 } as const;

describe('a webhook endpoint', () => {
  it('is enabled once it is created, and is created once', () => {
    expect(given(decider).when(create)).toEqual([created]);
    expect(given(decider, created).state.status).toBe('enabled');
    expect(given(decider, created).when(create)).toEqual([]);
  });

  it('has the same secret sealed anew, once, and only in place of the one that it has', () => {
    const reseal = { kind: 'ResealSecret', former: 'sealed', sealedSecret: 'anew' } as const;
    const resealed = {
      type: 'webhook_endpoint.secret_resealed.v1',
      data: { sealedSecret: 'anew' },
    } as const;
    expect(given(decider, created).when(reseal)).toEqual([resealed]);
    const after = given(decider, created, resealed);
    expect(after.state).toMatchObject({ status: 'enabled', sealedSecret: 'anew' });
    expect(after.when(reseal)).toEqual([]);
    expect(given(decider, created, deleted).when(reseal)).toBe('webhook_endpoint/not_found');
  });

  it('that is deleted is gone for good', () => {
    expect(given(decider, created).when(remove)).toEqual([deleted]);
    const gone = given(decider, created, deleted);
    expect(gone.state.status).toBe('deleted');
    expect(gone.when(remove)).toBe('webhook_endpoint/not_found');
    expect(gone.when(create)).toEqual([]);
    expect(given(decider).when(remove)).toBe('webhook_endpoint/not_found');
  });
});

describe('the event types of an endpoint', () => {
  it.each([
    [['*'], 'payment.failed', true],
    [['payment.failed'], 'payment.failed', true],
    [['payment.failed'], 'payment.succeeded', false],
    [['subscription.*'], 'subscription.payment_failed', true],
    [['subscription.*'], 'subscriptions.created', false],
    [['payment.*'], 'subscription.payment_failed', false],
    [['dispute.opened', 'subscription.*'], 'subscription.created', true],
    [['VIEW_ITEM'], 'PURCHASE_SUCCEEDED', true],
    [['VIEW_ITEM'], 'PURCHASE_FAILED', false],
    [['payment.*'], 'PURCHASE_SUCCEEDED', false],
    [[], 'payment.failed', false],
  ])('%j covers %s: %s', (eventTypes, type, isCovered) => {
    expect(coversEventType(eventTypes, type)).toBe(isCovered);
  });
});
