import { eventually } from '../../support/eventually.js';
import { compare } from './compare.js';
import { HOUR_MS } from './model-dates.js';
import { advance, dueAt, nextBilling } from './model-due.js';
import { PENDING } from './model-gateway.js';
import type { Player } from './player.js';
import type { Model, Step } from './step.js';

/** Goes on by so many hours. */
export const wait = (hours: number): Step => ({
  check: () => true,
  run: async (model, { player }) => {
    const to = findClearTime(model, player.clockAt + hours * HOUR_MS);
    await letPass(model, player, to);
    for (const { id, state } of model.owned) {
      advance(state, to, model.market.dunning);
      await compare(id, state, player);
    }
  },
  toString: () => `wait ${hours} h`,
});

/** The parts that time changes. */
type Ahead = Pick<Model, 'owned' | 'market'>;

/** The clock ticks on by itself: near to a due date it would be open whether it has come. */
export function findClearTime(model: Ahead, from: number): number {
  const ahead = lookAhead(model);
  advanceAll(ahead, from);
  const isNear = (at: number | null) => at !== null && Math.abs(at - from) < HOUR_MS / 2;
  const isClear =
    !model.market.rates.some((version) => isNear(version.from)) &&
    !ahead.owned.some(
      ({ state }) => isNear(dueAt(state)) || isNear(nextBilling(state)) || isNear(state.lastDueAt),
    );
  return isClear ? from : findClearTime(model, from + HOUR_MS);
}

const lookAhead = ({ owned, market }: Ahead): Ahead => ({
  market,
  owned: owned.map(({ id, state }) => ({ id, state: structuredClone(state) })),
});

export function advanceAll({ owned, market }: Ahead, to: number): void {
  for (const { state } of owned) advance(state, to, market.dunning);
}

/** A charge that the gateway leaves open is waited for soon after it was due: its grace is a time of the clock. */
async function letPass(model: Model, player: Player, to: number): Promise<void> {
  const ahead = lookAhead(model);
  for (;;) {
    const next = findNextPending(ahead.owned, to);
    if (next === undefined) break;
    const soon = findClearTime(ahead, next.at + HOUR_MS);
    if (soon > to) break;
    advanceAll(ahead, soon);
    await player.advance(soon);
    await untilSettled(next.id, player);
  }
  await player.advance(to);
  advanceAll(ahead, to);
  for (const { id, state } of ahead.owned) {
    if (state.method === PENDING && state.open === null) await untilSettled(id, player);
  }
}

function findNextPending(ahead: Model['owned'], to: number) {
  const due = ahead
    .filter(({ state }) => state.method === PENDING && state.status === 'active')
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
