import { describe, expect, it } from 'vitest';
import type { EventMetadata } from '#domain/event';
import {
  fromStoredData,
  fromStoredMetadata,
  type StoredMetadata,
  toStoredForm,
} from './stored-form.js';

const STREAM = 'payment-pay_1';
const metadata: EventMetadata = {
  ...{ $correlationId: 'request-1', actor: 'app', appId: 'app_1', player: '5f00' },
  ...{ environment: 'test', occurredAt: '2026-01-31T10:00:00.000Z' },
};
const data = {
  ...{ paymentId: 'pay_1', appId: 'app_1', player: '5f00', paymentMethod: 'pm_ok' },
  requestedAt: '2026-01-31T10:00:00.000Z',
};
const type = 'payment.requested.v3';
const store = (over: object = {}, stream = STREAM) =>
  toStoredForm(stream, { id: 'event-1', type, data: { ...data, ...over }, metadata });
const readBack = (stored: unknown, stream = STREAM) =>
  fromStoredData(type, { ...(stored as object) }, stream, metadata);

describe('the stored form of an event', () => {
  it('leaves out of the data what stream and metadata say', () => {
    expect(store().data).toEqual({ paymentMethod: 'pm_ok' });
    expect(readBack(store().data)).toEqual(data);
  });

  it.each([
    ['a time before that of the event', { requestedAt: '2026-01-31T09:59:59.999Z' }],
    ['another app', { appId: 'app_2' }],
    ['another player', { player: '6000' }],
    ['another id', { paymentId: 'pay_2' }],
  ])('keeps %s', (_, over) => {
    expect(store(over).data).toEqual({ ...over, paymentMethod: 'pm_ok' });
    expect(readBack(store(over).data)).toEqual({ ...data, ...over });
  });

  it('leaves the event as it is where nothing of it is said elsewhere', () => {
    const event = { id: 'event-1', type: 'app.renamed.v1', data: { name: 'app_1' }, metadata };
    expect(toStoredForm('app-app_1', event)).toEqual(event);
    expect(fromStoredData(event.type, event.data, 'app-app_1', metadata)).toBe(event.data);
  });

  it('does not change the event that it is given', () => {
    const before = structuredClone(data);
    store();
    expect(data).toEqual(before);
  });

  it('names the environment where it is not production', () => {
    const production = { ...metadata, environment: 'production' } as const;
    const stored = toStoredForm(STREAM, { id: 'event-1', type, data, metadata: production });
    const parsed = JSON.parse(JSON.stringify(stored.metadata)) as StoredMetadata;
    expect(parsed).not.toHaveProperty('environment');
    expect(fromStoredMetadata(parsed)).toEqual(production);
    expect(store().metadata).toHaveProperty('environment', 'test');
    expect(fromStoredMetadata(metadata)).toEqual(metadata);
  });
});
