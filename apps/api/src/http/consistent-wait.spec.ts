import { describe, expect, it } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { deriveId } from '#domain/ids';
import { Partitions } from '#event-store';
import { findReadBucket, planWait, waitUntilShown } from './consistent-wait.js';

const sixteen = new Partitions(16);

describe('a read with a token waits', () => {
  it('for its partition, where the token is about the same one, also about another bucket of it', () => {
    expect(planWait(sixteen, { bucket: '3f' }, '3f')).toEqual([3]);
    expect(planWait(sixteen, { bucket: '30' }, '3f')).toEqual([3]);
  });

  it('for nothing, where the token is about another partition', () => {
    expect(planWait(sixteen, { bucket: '40' }, '3f')).toEqual([]);
  });

  it('for its partition, where the token is about any', () => {
    expect(planWait(sixteen, { bucket: undefined }, 'ff')).toEqual([15]);
  });

  it('for all partitions, where it looks at all, whatever the token is about', () => {
    expect(planWait(sixteen, { bucket: '3f' }, undefined)).toEqual(sixteen.numbers);
    expect(planWait(sixteen, { bucket: undefined }, undefined)).toEqual(sixteen.numbers);
  });

  it('for the one partition that there is', () => {
    expect(planWait(new Partitions(1), { bucket: '00' }, 'ff')).toEqual([0]);
  });
});

describe('what a read looks at', () => {
  const AT = '2026-01-31T10:00:00.000Z';
  const appId = deriveId('app', AT, 'a0', 'app');
  const app = { kind: 'app', appId } as const;
  // Of a player, no more than this is looked at.
  const player = { kind: 'player', appId, player: '3f00' } as unknown as FastifyRequest['caller'];
  const operator = { kind: 'operator', operator: {} } as unknown as FastifyRequest['caller'];
  const findPlayer = async (ofApp: string, id: string) =>
    ofApp === appId && id === 'ann' ? '77ff' : '';
  const find = (
    scope: Parameters<typeof findReadBucket>[0],
    caller: FastifyRequest['caller'],
    more: { params?: object; query?: object } = {},
  ) => {
    const request = { params: {}, query: {}, ...more, ...(caller && { caller }) };
    return findReadBucket(scope, request, findPlayer);
  };

  it('is in the bucket of the id in the path', async () => {
    const params = { id: deriveId('sub', AT, '12', 'x') };
    expect(await find('id', app, { params })).toBe('12');
    expect(await find('id', player, { params })).toBe('12');
  });

  it('is in the bucket of the app of the caller, or of the path for an operator', async () => {
    expect(await find('app', app)).toBe('a0');
    expect(await find('app', player)).toBe('a0');
    expect(await find('app', operator, { params: { appId } })).toBe('a0');
  });

  it('is in the bucket of a player, who asks or is asked for', async () => {
    expect(await find('player', player)).toBe('3f');
    expect(await find('player', player, { query: { externalAccountId: 'ann' } })).toBe('3f');
    expect(await find('player', app, { query: { externalAccountId: 'ann' } })).toBe('77');
  });

  it('is in any bucket where all apps are listed', async () => {
    expect(await find('all', operator)).toBeUndefined();
    const query = { externalAccountId: 'ann' };
    expect(await find('all', operator, { query })).toBeUndefined();
  });

  it('is in any bucket where an app asks for all players', async () => {
    expect(await find('player', app)).toBeUndefined();
    expect(await find('player', app, { query: { externalAccountId: ['ann'] } })).toBeUndefined();
  });
});

describe('a read with a token', () => {
  const limit = { timeoutMs: 5_000, partitions: [0] };
  const NEVER = new Promise<void>(() => undefined);

  /** Read models that show positions up to 20, of a store that ends at `head`. */
  async function wait(position: string, head: string) {
    const awaited: string[] = [];
    const waitFor = (at: string) => {
      awaited.push(at);
      return at <= '20' ? Promise.resolve() : NEVER;
    };
    let asked = 0;
    const headPosition = async () => {
      asked += 1;
      return head;
    };
    await waitUntilShown({ readModels: { waitFor }, store: { headPosition } }, position, limit);
    return { awaited, asked };
  }

  it('asks no store where what it names is shown', async () => {
    expect(await wait('15', '20')).toEqual({ awaited: ['15'], asked: 0 });
  });

  it('is answered with all that there is, where it names what the store does not reach', async () => {
    expect(await wait('99', '20')).toEqual({ awaited: ['99', '20'], asked: 1 });
  });

  it('waits on for what the store has, as long as it may', async () => {
    const store = { headPosition: async () => '30' };
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 150));
    const shown = { waitFor: pause };
    await expect(waitUntilShown({ readModels: shown, store }, '25', limit)).resolves.toBe(
      undefined,
    );
    const waitFor = async () => {
      await pause();
      throw new Error('not within the limit');
    };
    const late = waitUntilShown({ readModels: { waitFor }, store }, '25', limit);
    await expect(late).rejects.toThrow('not within the limit');
  });
});
