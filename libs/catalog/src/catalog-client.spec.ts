import { describe, expect, it, vi } from 'vitest';
import type { CreatedApp } from '#domain/app';
import type { CatalogFailureReason } from '#domain/catalog';
import { Fault, type Log } from '#platform';
import type { CatalogAnswer } from './call-catalog.js';
import { CatalogClient } from './catalog-client.js';
import { CALLS_AT_ONCE, CALLS_WAITING, RECORDED_AT_ONCE } from './limits.js';
import { failedCall } from './parse-catalog.js';

const GOOD: CatalogAnswer = { parsed: { ok: true, catalog: Object.freeze({ rows: [] }) } };
const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** A client whose calls end when `end` says so, and its calls so far. */
function world() {
  const calls: { appId: string; playerId: string; end: (answer: CatalogAnswer) => void }[] = [];
  const recorded: string[] = [];
  const noted: string[] = [];
  const control = { isOpen: false, storeIsAway: false };
  const warn = vi.fn();
  const client = new CatalogClient({
    // As much of an app as a client looks at.
    apps: {
      find: async (appId) =>
        ({ appId, catalog: appId === 'app_none' ? null : {} }) as unknown as CreatedApp,
    },
    caller: {
      call: ({ appId }, { playerId }) => new Promise((end) => calls.push({ appId, playerId, end })),
    },
    breakers: {
      run: async (_appId, call, isAway) => {
        if (control.isOpen) return undefined;
        const answer = await call();
        noted.push(isAway(answer) ? 'failed' : 'succeeded');
        return answer;
      },
    },
    failures: {
      record: async (_app, { playerId }, { reason }, reference) => {
        if (control.storeIsAway) throw new Fault('unavailable', 'away', { retryable: true });
        recorded.push(`${reason} ${playerId} ${reference}`);
      },
    },
    log: { warn } as unknown as Log,
  });
  const fetch = (
    playerId = 'ann',
    more: { appId?: string; fresh?: boolean; language?: string } = {},
  ) => client.fetch({ appId: 'app_1', language: 'en', ...more, playerId });
  /** Lets the calls that are under way end so. */
  const end = async (answer: CatalogAnswer) => {
    await tick();
    for (const call of calls.splice(0)) call.end(answer);
    await tick();
  };
  const fail = async (reason: CatalogFailureReason, playerId = 'ann') => {
    const asking = fetch(playerId);
    await end({ parsed: failedCall(reason) });
    const result = await asking;
    return result.ok ? 'ok' : result.failure.reference;
  };
  return { calls, recorded, noted, control, warn, fetch, end, fail };
}

describe('the catalog of a player', () => {
  it('is asked for once by all who want it at the same time, in one language', async () => {
    const { fetch, end, calls } = world();
    const asking = [fetch(), fetch(), fetch('bob')];
    await tick();
    expect(calls.map(({ playerId }) => playerId)).toEqual(['ann', 'bob']);
    await end(GOOD);
    const results = await Promise.all(asking);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(results[0]).toEqual(results[1]);
  });

  it('is what the backend says after a checkout was clicked, whatever a page has asked before', async () => {
    const { fetch, end, calls } = world();
    const page = fetch();
    const checkouts = [fetch('ann', { fresh: true }), fetch('ann', { fresh: true })];
    await tick();
    expect(calls).toHaveLength(1);
    await end({ parsed: failedCall('timeout') });
    expect(await page).toMatchObject({ ok: false });
    // Both were clicked before it began, so that they share the next one; a later one waits again.
    expect(calls).toHaveLength(1);
    const later = fetch('ann', { fresh: true });
    const alike = fetch();
    await tick();
    expect(calls).toHaveLength(1);
    await end(GOOD);
    expect(await Promise.all([...checkouts, alike])).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: true },
    ]);
    expect(calls).toHaveLength(1);
    await end(GOOD);
    expect(await later).toMatchObject({ ok: true });
  });

  it('is asked for by one call at a time, in whatever languages it is shown', async () => {
    const { fetch, end, calls } = world();
    const asking = [fetch(), fetch('ann', { language: 'de' })];
    await tick();
    expect(calls).toHaveLength(1);
    await end(GOOD);
    expect(calls).toHaveLength(1);
    await end(GOOD);
    expect(await Promise.all(asking)).toMatchObject([{ ok: true }, { ok: true }]);
    await fetch();
    expect(calls).toEqual([]);
  });

  it('stands in for 5 s where it need not be fresh, and not for another player', async () => {
    const { fetch, end, calls } = world();
    const asking = fetch();
    await end(GOOD);
    const { catalog } = (await asking) as { catalog: object };
    const kept = (await fetch()) as { catalog: object };
    expect(kept.catalog).toBe(catalog);
    void fetch('ann', { fresh: true });
    void fetch('bob');
    await tick();
    expect(calls.map(({ playerId }) => playerId)).toEqual(['ann', 'bob']);
    await end(GOOD);
    const now = vi.spyOn(performance, 'now');
    const later = performance.now() + 5_100;
    now.mockImplementation(() => later);
    void fetch();
    await tick();
    now.mockRestore();
    expect(calls).toHaveLength(1);
  });

  it('that failed is asked for again the next time, and its failure is recorded', async () => {
    const { fail, recorded, fetch, end } = world();
    const reference = await fail('timeout');
    expect(reference).toMatch(REFERENCE);
    expect(recorded).toEqual([`timeout ann ${reference}`]);
    const again = fetch();
    await end(GOOD);
    expect(await again).toMatchObject({ ok: true });
  });

  it('of an app without a catalog fails without a call', async () => {
    const { fetch, calls, recorded } = world();
    const result = await fetch('ann', { appId: 'app_none' });
    expect(result).toMatchObject({ ok: false, failure: { reason: 'not_configured' } });
    expect([calls, recorded]).toEqual([[], [expect.stringMatching(/^not_configured ann/)]]);
  });

  it('is shown with a reference also where that cannot be recorded', async () => {
    const { fail, control, warn, recorded } = world();
    control.storeIsAway = true;
    expect(await fail('timeout')).toMatch(REFERENCE);
    expect(warn).toHaveBeenCalledTimes(1);
    control.storeIsAway = false;
    const found = await fail('timeout');
    expect(recorded).toEqual([`timeout ann ${found}`]);
  });
});

describe('calls of an app', () => {
  it('are bounded, and so are those that wait; no other app waits for them', async () => {
    const { fetch, calls, end } = world();
    const all = CALLS_AT_ONCE + CALLS_WAITING;
    const asking = Array.from({ length: all }, (_, at) => fetch(`player-${at}`));
    await tick();
    expect(calls).toHaveLength(CALLS_AT_ONCE);
    const result = await fetch('one-too-many');
    expect(result).toMatchObject({ ok: false, failure: { reason: 'too_many_calls' } });
    void fetch('ann', { appId: 'app_2' });
    await tick();
    expect(calls.at(-1)?.appId).toBe('app_2');
    while (calls.length > 0) await end(GOOD);
    expect((await Promise.all(asking)).every(({ ok }) => ok)).toBe(true);
  });

  it('that waited for too long are not made any more', async () => {
    const { fetch, calls, end } = world();
    const asking = Array.from({ length: CALLS_AT_ONCE + 1 }, (_, at) => fetch(`player-${at}`));
    await tick();
    const now = vi.spyOn(performance, 'now');
    const later = performance.now() + 5_100;
    now.mockImplementation(() => later);
    await end(GOOD);
    now.mockRestore();
    expect(await asking.at(-1)).toMatchObject({ failure: { reason: 'too_many_calls' } });
    expect(calls).toEqual([]);
  });

  it('are not made while the breaker is open', async () => {
    const { fetch, control, calls, noted } = world();
    control.isOpen = true;
    const result = await fetch();
    expect(result).toMatchObject({ ok: false, failure: { reason: 'circuit_open' } });
    expect([calls, noted]).toEqual([[], []]);
  });

  it.each<[CatalogFailureReason, string]>([
    ['timeout', 'failed'],
    ['refused', 'failed'],
    ['tls', 'failed'],
    ['invalid_answer', 'failed'],
    ['forbidden_address', 'succeeded'],
    ['invalid_catalog', 'succeeded'],
    ['not_json', 'succeeded'],
    ['too_large', 'succeeded'],
    ['unusable_player_id', 'succeeded'],
  ])('that fail as %s have %s for the breaker', async (reason, expected) => {
    const { fail, noted } = world();
    await fail(reason);
    expect(noted).toEqual([expected]);
  });

  it.each([
    [503, 'failed'],
    [429, 'failed'],
    [404, 'succeeded'],
    [500, 'succeeded'],
    [302, 'succeeded'],
  ])('that are answered with %s have %s for the breaker', async (status, expected) => {
    const { fetch, end, noted } = world();
    const asking = fetch();
    const answer = { status, headers: {}, body: Buffer.alloc(0), remoteAddress: '' };
    await end({ parsed: failedCall('status'), answer });
    await asking;
    expect(noted).toEqual([expected]);
  });
});

describe('failures of a catalog under load', () => {
  it('are recorded a few at a time; the others are shown with the reference of the last one of their reason', async () => {
    const { fail, recorded } = world();
    const references: string[] = [];
    for (let at = 0; at < RECORDED_AT_ONCE + 20; at += 1) {
      references.push(await fail('not_json', `player-${at}`));
    }
    expect(recorded).toHaveLength(RECORDED_AT_ONCE);
    expect(new Set(references).size).toBe(RECORDED_AT_ONCE);
    expect(references.at(-1)).toBe(references[RECORDED_AT_ONCE - 1]);
    const other = await fail('timeout');
    expect(recorded.at(-1)).toBe(`timeout ann ${other}`);
    expect(recorded).toHaveLength(RECORDED_AT_ONCE + 1);
  });

  it('have room again after a while', async () => {
    const { fail, recorded } = world();
    for (let at = 0; at < RECORDED_AT_ONCE + 2; at += 1) await fail('not_json');
    const now = vi.spyOn(performance, 'now');
    const later = performance.now() + 5_100;
    now.mockImplementation(() => later);
    await fail('not_json');
    await fail('not_json');
    now.mockRestore();
    expect(recorded).toHaveLength(RECORDED_AT_ONCE + 1);
  });
});
