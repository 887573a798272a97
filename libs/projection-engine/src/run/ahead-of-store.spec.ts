import { describe, expect, it } from 'vitest';
import { createLogger } from '#platform';
import { AheadOfStore } from './ahead-of-store.js';

const silent = createLogger('test', { level: 'silent' });
const MINUTE_MS = 60_000;

const standing = (position: string) => ({ position });
const create = (events: readonly string[] = []) =>
  new AheadOfStore({ hasEventAt: async (position) => events.includes(position) }, silent);

describe('read models that seem to be ahead of their store', () => {
  it('are believed to be so after minutes in which every look said so', async () => {
    const [there, ahead] = [standing('1'), standing('9')];
    const watch = create();
    expect(await watch.find([there, ahead], '5', 0)).toEqual([]);
    expect(await watch.find([there, ahead], '5', MINUTE_MS)).toEqual([]);
    expect(await watch.find([there, ahead], '5', 2 * MINUTE_MS)).toEqual([ahead]);
  });

  it('are not, when one poll in between found the store where it was', async () => {
    const watch = create();
    await watch.find([standing('9')], '5', 0);
    await watch.find([standing('9')], '9', MINUTE_MS);
    expect(await watch.find([standing('9')], '5', 2 * MINUTE_MS)).toEqual([]);
  });

  it('are not, when the store has the event that they stand at', async () => {
    const [kept, lost] = [standing('8'), standing('9')];
    const watch = create(['8']);
    await watch.find([kept, lost], '5', 0);
    expect(await watch.find([kept, lost], '5', 2 * MINUTE_MS)).toEqual([lost]);
  });
});
