import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '#platform';
import { Notices } from './progress-notifier.js';
import { Reactor, type ReactorParts } from './reactor.js';

const CHECKPOINT = '00000000000000000043';

describe('a reactor that resumes', () => {
  it('tells who waits that all before its checkpoint is worked off, though nothing comes after it', async () => {
    const stop = new AbortController();
    const notices = new Notices();
    // A store that ends at the checkpoint: it has nothing to say before the next event.
    async function* nothingNew() {
      await once(stop.signal, 'abort');
      yield* [];
    }
    const parts: Partial<Record<keyof ReactorParts, unknown>> = {
      store: { subscribe: nothingNew },
      recovery: { resume: () => Promise.resolve(CHECKPOINT) },
      notices,
      log: createLogger('test', { level: 'silent' }),
    };
    const running = new Reactor(parts as unknown as ReactorParts).run(stop.signal, () => undefined);
    const isTold = await notices.reached(CHECKPOINT, 1_000);
    stop.abort();
    await running;
    expect(isTold).toBe(true);
  });
});
