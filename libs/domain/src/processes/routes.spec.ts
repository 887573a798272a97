import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../event-types/index.js';
import { PROCESS_ROUTES, routesFor } from './routes.js';
import { asRenewal, captured, declined, follow } from './spec-support/purchase.js';

describe('the rows of the processes', () => {
  it.each([
    ['payment.captured.v1', 'of a checkout', captured, 'accept_on_initial_capture'],
    ['payment.captured.v1', 'of a renewal', asRenewal(captured), 'settle_on_renewal_outcome'],
    ['payment.declined.v1', 'of a checkout', declined, 'reopen_link_on_initial_decline'],
    ['payment.declined.v1', 'of a renewal', asRenewal(declined), 'settle_on_renewal_outcome'],
  ])('%s %s sets one process going', (type, _of, payment, process) => {
    expect(follow(type, {}, payment).map((output) => output.process)).toEqual([process]);
  });

  it('name events that there are, and the stream that such an event is in', () => {
    for (const { on, stream } of PROCESS_ROUTES) {
      expect(EVENT_TYPES).toContain(on);
      if (stream !== null) expect(on.split('.')[0]).toBe(stream.category);
    }
  });

  it('are there for each event once under each name', () => {
    const rows = PROCESS_ROUTES.map(({ on, process }) => `${on} ${process}`);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('have nothing for an event that sets nothing going', () => {
    expect(routesFor('subscription.reactivated.v1')).toEqual([]);
    expect(routesFor('toString')).toEqual([]);
  });
});
