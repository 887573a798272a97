import { describe, expect, it } from 'vitest';
import { COMMAND_RECORDED } from '#domain/event';
import { createCodec } from './codec.js';
import type { StoredEvent } from './stored-event.js';
import { UndecodableEvent, type UndecodableReason } from './undecodable.js';

const metadata = { appId: 'app_1', occurredAt: '2026-01-31T10:00:00.000Z' };

/** As a store gives it. Payload and metadata are JSON, unless they are bytes already. */
function stored(changes: object = {}): StoredEvent {
  const {
    data,
    metadata: own,
    ...event
  } = {
    streamName: 'plan-1',
    id: 'b7a4c1f0-0000-4000-8000-000000000001',
    revision: 7,
    type: 'plan.created.v1',
    contentType: 'application/json',
    data: { code: 'gold' } as unknown,
    metadata: metadata as unknown,
    createdAtMs: 0,
    position: '09223372036854775807',
    ...changes,
  };
  return { ...event, data: toBytes(data), metadata: toBytes(own) };
}

function toBytes(content: unknown): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return Buffer.from(content === undefined ? '' : JSON.stringify(content));
}

const codec = createCodec({ knownTypes: ['plan.created.v1', 'plan.priced.v2'] });

function undecodableReason(event: StoredEvent): UndecodableReason | undefined {
  try {
    codec.decode(event);
    return undefined;
  } catch (error) {
    if (error instanceof UndecodableEvent) return error.item.reason;
    throw error;
  }
}

describe('the codec', () => {
  it('gives an event with its place, and positions beyond what numbers hold', () => {
    expect(codec.decode(stored())).toEqual({
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
    ['bytes', { contentType: 'application/octet-stream' }, 'malformed'],
    ['broken JSON', { data: Buffer.from('{"code":') }, 'malformed'],
    ['a text', { data: 'gold' }, 'malformed'],
    ['broken metadata', { metadata: Buffer.from('{"appId":') }, 'malformed'],
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
    const decode = () => broken.decode(stored());
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
    expect(newer.decode(stored({ type, data: {} }))).toMatchObject({
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
    expect(open.decode(stored({ type: 'plan.painted.v3' })).type).toBe('plan.painted.v3');
    expect(() => open.decode(stored({ type: 'Painted' }))).toThrow(UndecodableEvent);
  });
});
