import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@eventstore/db-client';
import { COMMAND_RECORDED } from '#domain/event';
import { createCodec } from './codec.js';
import { UndecodableEvent, type UndecodableReason } from './undecodable.js';

const metadata = { appId: 'app_1', occurredAt: '2026-01-31T10:00:00.000Z' };

function stored(changes: object = {}): RecordedEvent {
  const event = {
    streamId: 'plan-1',
    id: 'b7a4c1f0-0000-4000-8000-000000000001',
    revision: 7n,
    type: 'plan.created.v1',
    isJson: true,
    data: { code: 'gold' },
    metadata,
    created: new Date(),
    position: { commit: 2n ** 63n - 1n, prepare: 2n ** 63n - 1n },
    ...changes,
  };
  // As the client gives it, when `changes` keep to what a store can hold.
  return event as unknown as RecordedEvent;
}

const codec = createCodec({ knownTypes: ['plan.created.v1', 'plan.priced.v2'] });

function undecodableReason(event: RecordedEvent): UndecodableReason | undefined {
  try {
    codec.decode(event, undefined);
    return undefined;
  } catch (error) {
    if (error instanceof UndecodableEvent) return error.item.reason;
    throw error;
  }
}

describe('the codec', () => {
  it('gives an event with its place, and positions beyond what numbers hold', () => {
    expect(codec.decode(stored(), undefined)).toEqual({
      id: 'b7a4c1f0-0000-4000-8000-000000000001',
      type: 'plan.created.v1',
      data: { code: 'gold' },
      metadata: { ...metadata, environment: 'production' },
      streamName: 'plan-1',
      revision: 7,
      position: '09223372036854775807',
    });
  });

  it.each([
    ['an unknown type', { type: 'plan.painted.v1' }, 'unknown_type'],
    ['a name without a version', { type: 'PlanCreated' }, 'unknown_type'],
    ['a newer version', { type: 'plan.created.v2' }, 'newer_version'],
    ['a much newer version', { type: 'plan.created.v9' }, 'newer_version'],
    ['a version that no upcaster brings up', { type: 'plan.priced.v1' }, 'unknown_type'],
    ['bytes', { isJson: false, data: new Uint8Array(1) }, 'malformed'],
    ['broken JSON, which the client hands over as text', { data: '{"code":' }, 'malformed'],
    ['no payload', { data: null }, 'malformed'],
    ['no metadata', { metadata: undefined }, 'malformed'],
    ['metadata of another program', { metadata: { $correlationId: 'x' } }, 'malformed'],
  ])('does not decode %s', (_, changes, reason) => {
    expect(undecodableReason(stored(changes))).toBe(reason);
  });

  it('does not decode what an upcaster throws over, and keeps the reason', () => {
    const upcast = () => {
      throw new TypeError('a plan without a price');
    };
    const broken = createCodec({
      knownTypes: ['plan.created.v2'],
      upcasters: [{ from: 'plan.created.v1', to: 'plan.created.v2', upcast }],
    });
    const decode = () => broken.decode(stored(), undefined);
    expect(decode).toThrow(UndecodableEvent);
    expect(decode).toThrow(
      expect.objectContaining({
        item: expect.objectContaining({ reason: 'upcaster_failed', revision: 7 }),
        cause: new TypeError('a plan without a price'),
      }),
    );
  });

  it('fills up what was left out of a retired version before it is upcast', () => {
    const upcast = (data: unknown) => ({ at: (data as { canceledAt?: string }).canceledAt });
    const type = 'subscription.canceled.v1';
    const newer = createCodec({
      knownTypes: ['subscription.canceled.v2'],
      upcasters: [{ from: type, to: 'subscription.canceled.v2', upcast }],
    });
    expect(newer.decode(stored({ type, data: {} }), undefined)).toMatchObject({
      type: 'subscription.canceled.v2',
      data: { at: metadata.occurredAt },
    });
  });

  it('upcasts no version of which nothing says what was left out', () => {
    const upcaster = { from: 'plan.painted.v1', to: 'plan.painted.v2', upcast: () => ({}) };
    expect(() => createCodec({ upcasters: [upcaster] })).toThrow(
      'what plan.painted.v1 repeats is not known',
    );
  });

  it('always knows the events that belong to no context', () => {
    expect(undecodableReason(stored({ type: COMMAND_RECORDED, data: {} }))).toBeUndefined();
  });

  it('without a list of types takes every well-formed name', () => {
    const open = createCodec();
    expect(open.decode(stored({ type: 'plan.painted.v3' }), undefined).type).toBe(
      'plan.painted.v3',
    );
    expect(() => open.decode(stored({ type: 'Painted' }), undefined)).toThrow(UndecodableEvent);
  });
});
