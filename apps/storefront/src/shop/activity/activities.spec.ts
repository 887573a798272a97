import { expect, it, vi } from 'vitest';
import type { LedgerStore } from '#event-store';
import { CommandContexts, type CommandSource } from '#nest';
import type { Log } from '#platform';
import type { AppDirectory } from '#tenancy';
import { HASH_KEYS } from '../../links/spec-support/links.js';
import { Activities } from './activities.js';

const NOW = '2026-01-31T10:00:00.000Z';
const WEEK_SECONDS = 604_800;
const apps = { find: async () => ({ environment: 'test' }), now: async () => NOW };
const contexts = new CommandContexts(apps as unknown as AppDirectory, HASH_KEYS);
const source = { id: 'r', method: 'GET', headers: {} } as unknown as CommandSource;
const ann = { appId: 'app_1', player: '5f00', regionCode: 'DE' };
const viewed = { type: 'activity.item_viewed.v1', data: { itemId: 'sword' } } as const;

/** The questions to the store, in order. */
function recording(limit: () => Promise<void> = async () => undefined) {
  const asked: unknown[] = [];
  const append = async (streamName: string, _expected: unknown, events: readonly unknown[]) =>
    void asked.push(['append', streamName, events.length]);
  const lifetimes = {
    limit: async (...said: unknown[]) => {
      await limit();
      asked.push(['limit', ...said]);
    },
  };
  const warn = vi.fn();
  const store = { append, lifetimes } as unknown as Pick<LedgerStore, 'append' | 'lifetimes'>;
  const activities = new Activities(contexts, store, { warn } as unknown as Log);
  return { activities, asked, warn };
}

/** rules/webshop 7 */
it('keeps what a player looks at for a week, which the store knows before it has any of it', async () => {
  const { activities, asked } = recording();
  await activities.record(ann, [viewed, viewed], source);
  expect(asked).toEqual([
    ['limit', 'activity-5f00', { maxAgeSeconds: WEEK_SECONDS }],
    ['append', 'activity-5f00', 2],
  ]);
});

it('keeps nothing of what is asked for without its page', async () => {
  const { activities, asked } = recording();
  await activities.record(ann, [viewed], { ...source, method: 'HEAD' });
  expect(asked).toEqual([]);
});

it('keeps nothing for good: where the limit cannot be said, nothing is recorded, and a page is shown', async () => {
  const { activities, asked, warn } = recording(async () => {
    throw new Error('away');
  });
  await activities.record(ann, [viewed], source);
  expect([asked, warn.mock.calls.length]).toEqual([[], 1]);
});
