import { describe, expect, it } from 'vitest';
import type { CreatedApp } from '#domain/app';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { RecordedEvent } from '#domain/event';
import { taxRatesAggregate } from '#domain/pricing';
import { PROCESS_ROUTES } from '#domain/processes';
import type { CommandExecutor, StatesAtRevision } from '#event-store';
import { Defect } from '#platform';
import { createEvent } from '../spec-support/fakes.js';
import { ProcessRouter } from './process-router.js';

interface World {
  readonly status?: string;
  readonly isAppThere?: boolean;
}

/** A router over streams that all have this status; it notes its loads. */
function create({ status = 'PENDING', isAppThere = true }: World = {}) {
  const asked: string[] = [];
  const states = {
    follow: (aggregate: { category: string }) => void asked.push(`follow ${aggregate.category}`),
    stateAt: async (aggregate: { category: string }) => {
      asked.push(`state ${aggregate.category}`);
      // A payment of a renewal, as far as the rows look at it.
      return { status, purpose: { kind: 'subscription_period', period: { number: 2 } } };
    },
  } as unknown as StatesAtRevision;
  const commands = {
    follow: ({ category }: { category: string }) => void asked.push(`keep ${category}`),
  } as unknown as CommandExecutor;
  const apps = {
    find: async () => {
      asked.push('app');
      // Its settings are passed on and not looked at.
      return isAppThere ? ({} as CreatedApp) : undefined;
    },
  };
  const taxRates = {
    load: async () => {
      asked.push('tax rates');
      return taxRatesAggregate.decider.initialState;
    },
  };
  return { router: new ProcessRouter(states, commands, apps, taxRates), asked };
}

const paymentEvent = (type: string): RecordedEvent =>
  createEvent('', 3, { type, streamName: 'payment-pay_1' });

describe('the router of processes', () => {
  it('asks for nothing where no row is for the event, and keeps its stream folded', async () => {
    const { router, asked } = create();
    const event = createEvent('sub_1', 3, { type: 'subscription.reactivated.v1' });
    expect(await router.route(event)).toEqual([]);
    expect(asked).toEqual(['follow subscription']);
  });

  it('loads what each row of the event names, and nothing else', async () => {
    const { router, asked } = create({ status: 'none' });
    const ofLinks = PROCESS_ROUTES.filter(({ stream }) => stream === checkoutLinkAggregate);
    const route = ofLinks.find(({ needs }) => needs.includes('taxRates'));
    const [category = ''] = (route?.on ?? '').split('.');
    const event = createEvent('', 3, { type: route?.on ?? '', streamName: `${category}-x_1` });
    await expect(router.route(event)).rejects.toThrow('has not begun');
    expect(asked).toEqual(['follow', 'keep', 'state'].map((what) => `${what} ${category}`));
    const begun = create({ status: 'open' });
    // The row's own function may refuse such a state; only the loads before it count here.
    await Promise.resolve(begun.router.route(event)).catch(() => undefined);
    expect(begun.asked).toContain('tax rates');
    expect(begun.asked).not.toContain('app');
  });

  it('takes an app that is not there for a defect, which parks the stream', async () => {
    const { router } = create({ isAppThere: false });
    const [route] = PROCESS_ROUTES.filter(({ needs }) => needs.includes('dunning'));
    await expect(router.route(paymentEvent(route?.on ?? ''))).rejects.toThrow(Defect);
  });
});
