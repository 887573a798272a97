import { describe, expect, it } from '@jest/globals';
import type { ProcessOutput, ProcessStep } from '#domain/processes';
import type { AppendedEvent } from '#event-store';
import { createEvent, createGate, nextTurn, silent } from '../spec-support/fakes.js';
import { OwnEvents } from './own-events.js';
import type { CommandedStream } from './step-commands.js';

/** Only their kinds and ids matter here. */
const step = (kind: string, id: string) => ({ kind, id, command: {} }) as unknown as ProcessStep;
const paid = (id: string): AppendedEvent =>
  createEvent('', 1, { id, type: 'checkout_link.paid.v1', streamName: `checkout_link-${id}` });

interface Fakes {
  readonly steps?: (event: AppendedEvent) => readonly ProcessStep[];
  readonly run?: (step: { readonly id: string }) => Promise<CommandedStream>;
}

function create({
  steps = ({ id }) => [step('subscription', id)],
  run = async () => ({ state: null }),
}: Fakes = {}) {
  const log: string[] = [];
  const router = {
    routeAppended: async (event: AppendedEvent, state: unknown): Promise<ProcessOutput[]> => {
      log.push(`route ${event.id} by ${String(state)}`);
      return [{ process: 'do_on_event', steps: steps(event) }];
    },
  };
  const commands = {
    run: async (one: { readonly id: string }) => {
      const result = await run(one);
      log.push(`did ${one.id}`);
      return result;
    },
  };
  const { gate } = createGate();
  return { own: new OwnEvents(router, commands, gate, silent), log, gate };
}

describe('events that a process has appended itself', () => {
  it('are gone on with at once, and the feed waits until that is done', async () => {
    const { own, log } = create({ run: async () => nextTurn().then(() => ({ state: null })) });
    own.goOn({ appended: paid('a'), state: 'its state' });
    expect(log).toEqual(['route a by its state']);
    expect(await own.take('a')).toBe(true);
    expect(log).toEqual(['route a by its state', 'did a']);
  });

  it('go on from one to the next', async () => {
    const next = { appended: paid('b'), state: 'of b' };
    const run = async ({ id }: { readonly id: string }) => (id === 'a' ? next : { state: null });
    const { own, log } = create({ run });
    own.goOn({ appended: paid('a'), state: 'of a' });
    await own.take('a');
    expect(await own.take('b')).toBe(true);
    expect(log).toEqual(['route a by of a', 'did a', 'route b by of b', 'did b']);
  });

  it('are gone on with side by side in several streams, in their order', async () => {
    const begun: string[] = [];
    const { own, log } = create({
      steps: ({ id }) =>
        id === 'a' ? [step('subscription', 's'), step('checkout_link', 'l')] : [],
      run: async ({ id }) => {
        begun.push(id);
        expect(log).toEqual(['route a by null']);
        await nextTurn();
        return { state: null };
      },
    });
    own.goOn({ appended: paid('a'), state: null });
    expect(await own.take('a')).toBe(true);
    expect([begun, log.slice(1)]).toEqual([
      ['s', 'l'],
      ['did s', 'did l'],
    ]);
  });

  it('are left to the feed where something fails, and where it has come to them before', async () => {
    const { own, log } = create({ run: async () => Promise.reject(new Error('refused')) });
    own.goOn({ appended: paid('a'), state: null });
    expect(await own.take('a')).toBe(false);
    expect(await own.take('b')).toBe(false);
    own.goOn({ appended: paid('b'), state: null });
    expect(log).toEqual(['route a by null']);
  });

  it('are left to the feed where the gateway is to be asked: that is noted in Redis before', async () => {
    const { own, log } = create({ steps: () => [step('order', 'o'), step('refund', 'r')] });
    own.goOn({ appended: paid('a'), state: null });
    expect(await own.take('a')).toBe(false);
    expect(log).toEqual(['route a by null']);
  });

  it('wait where their stream is parked, and are of no interest where nothing follows', async () => {
    const { own, log, gate } = create();
    const parked = createEvent('', 1, { streamName: 'checkout_link-a', revision: 0 });
    await gate.poison(parked, new Error('a defect'));
    own.goOn({ appended: paid('a'), state: null });
    own.goOn({ appended: { ...paid('b'), type: 'checkout_link.created.v2' }, state: null });
    own.goOn({ state: null });
    expect(log).toEqual([]);
    expect(await own.take('a')).toBe(false);
  });
});
