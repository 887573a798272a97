import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { StartedSubscription } from '#domain/subscription';
import type { FindDocument } from '#event-store';
import { createLogger, Fault } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { Document } from '#projection-engine/define';
import { openStreamDocuments } from './stream-documents.js';

const NOW = '2026-01-31T10:00:00.000Z';
// Nothing of the state is looked at.
const state = { status: 'active' } as StartedSubscription;
const document: Document<StartedSubscription> = {
  ...{ state, revision: 3 },
  commands: { lastOccurredAt: NOW, fingerprints: '' },
};

let asked: string[];
let answer: () => Promise<Document<StartedSubscription> | undefined>;
let find: FindDocument;

beforeEach(() => {
  jest.useFakeTimers();
  asked = [];
  answer = async () => document;
  const byId = (id: string) => {
    asked.push(id);
    return answer();
  };
  // It is asked for subscriptions alone.
  const readModels = { ask: () => ({ byId }) } as unknown as ReadModels;
  find = openStreamDocuments(readModels, createLogger('test', { level: 'silent' }));
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the document of a stream', () => {
  it('is that of its subscription, with what is noted of commands', async () => {
    const found = await find('subscription', 'sub_1');
    expect(found).toMatchObject({ state, revision: 3, lastOccurredAt: NOW });
    expect(found?.commands.mayHold('key')).toBe(false);
    answer = async () => ({ ...document, commands: { lastOccurredAt: NOW, fingerprints: '*' } });
    expect((await find('subscription', 'sub_1'))?.commands.mayHold('key')).toBe(true);
  });

  it('is none of other streams, and where there is none', async () => {
    expect(await find('payment', 'pay_1')).toBeUndefined();
    expect(asked).toEqual([]);
    answer = async () => undefined;
    expect(await find('subscription', 'sub_2')).toBeUndefined();
    answer = async () => ({ state, revision: 3 });
    expect(await find('subscription', 'sub_3')).toBeUndefined();
    expect(asked).toEqual(['sub_2', 'sub_3']);
  });

  it('is not waited for longer than it takes to read the stream', async () => {
    answer = () => new Promise(() => undefined);
    const finding = find('subscription', 'sub_1');
    await jest.advanceTimersByTimeAsync(60);
    expect(await finding).toBeUndefined();
  });

  it('is not asked for again at once where none could be had', async () => {
    answer = () => Promise.reject(new Fault('unavailable', 'down', { retryable: true }));
    expect(await find('subscription', 'sub_1')).toBeUndefined();
    answer = async () => document;
    expect(await find('subscription', 'sub_1')).toBeUndefined();
    expect(asked).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(600);
    expect(await find('subscription', 'sub_1')).toMatchObject({ revision: 3 });
  });
});
