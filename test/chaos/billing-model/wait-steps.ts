import { eventually } from '../../support/eventually.js';
import { compare } from './compare.js';
import { HOUR_MS } from './model-dates.js';
import { advance, dueAt, nextBilling } from './model-due.js';
import type { Player } from './player.js';
import type { Model, Step } from './step.js';

/** Goes on by so many hours. */
export const wait = (hours: number): Step => ({
  check: () => true,
  run: async ({ owned }, { player }) => {
    const to = findClearTime(owned, player.clockAt + hours * HOUR_MS);
    await letPass(owned, player, to);
    for (const { id, state } of owned) {
      advance(state, to);
      await compare(id, state, player);
    }
  },
  toString: () => `wait ${hours} h`,
});

/** The clock ticks on by itself: near to a due date it would be open whether it has come. */
function findClearTime(owned: Model['owned'], from: number): number {
  const ahead = owned.map(({ state }) => structuredClone(state));
  for (const state of ahead) advance(state, from);
  const isNear = (at: number | null) => at !== null && Math.abs(at - from) < HOUR_MS / 2;
  const isClear = !ahead.some(
    (state) => isNear(dueAt(state)) || isNear(nextBilling(state)) || isNear(state.lastDueAt),
  );
  return isClear ? from : findClearTime(owned, from + HOUR_MS);
}

/** A charge that the gateway leaves open is waited for soon after it was due: its grace is a time of the clock. */
async function letPass(owned: Model['owned'], player: Player, to: number): Promise<void> {
  const ahead = owned.map(({ id, state }) => ({ id, state: structuredClone(state) }));
  for (;;) {
    const next = findNextPending(ahead, to);
    if (next === undefined) break;
    const soon = findClearTime(ahead, next.at + HOUR_MS);
    if (soon > to) break;
    for (const { state } of ahead) advance(state, soon);
    await player.advance(soon);
    await untilSettled(next.id, player);
  }
  await player.advance(to);
  for (const { id, state } of ahead) {
    advance(state, to);
    if (state.method === 'pm_pending' && state.open === null) await untilSettled(id, player);
  }
}

function findNextPending(ahead: Model['owned'], to: number) {
  const due = ahead
    .filter(({ state }) => state.method === 'pm_pending' && state.status === 'active')
    .map(({ id, state }) => ({ id, at: dueAt(state) ?? Infinity }))
    .filter(({ at }) => at <= to);
  return due.sort((left, right) => left.at - right.at)[0];
}

async function untilSettled(subscriptionId: string, player: Player): Promise<void> {
  const path = `/sdk/subscriptions/${subscriptionId}/payments?limit=1`;
  const isSettled = async () => {
    const { payments } = await player.read(path);
    // The page is the API's own answer to this path.
    const [newest] = payments as { status: string }[];
    return newest === undefined || !newest.status.endsWith('_PENDING');
  };
  await eventually(isSettled, { what: `the outcome of ${subscriptionId}`, longestPollMs: 250 });
}
