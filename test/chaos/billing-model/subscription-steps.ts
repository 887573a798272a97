import { strictEqual } from 'node:assert/strict';
import { eventually } from '../../support/eventually.js';
import { requireOk } from '../../support/scenario.js';
import { expire } from './model-period.js';
import { onSubscription, type RealSubscription, type Step } from './step.js';

export const cancel = (atPeriodEnd: boolean, which = 0): Step =>
  onSubscription(
    `cancel ${atPeriodEnd ? 'at the period end' : 'at once'}`,
    which,
    async (model, real) => {
      const path = `/sdk/subscriptions/${real.subscriptionId}/cancel`;
      const answer = await real.player.command(path, { cancel_at_period_end: atPeriodEnd });
      if (model.status === 'expired') {
        strictEqual(answer.status, 400, 'cancel of an expired one');
        return;
      }
      requireOk(answer);
      if (model.status === 'past_due' || !atPeriodEnd) {
        expire(model, null);
      } else if (model.status === 'active') {
        Object.assign(model, { status: 'canceled', isCanceled: true, scheduled: null });
        model.sent.push('subscription.canceled');
        // Its renewal is open at the gateway: the period is over.
        if (model.periodEnd <= real.player.clockAt) {
          expire(model, null);
          await untilStatus(real, 'expired');
        }
      }
    },
  );

/** A due step happens by itself within a moment. */
async function untilStatus({ player, subscriptionId }: RealSubscription, wanted: string) {
  const isThere = async () => {
    const { status } = await player.read(`/sdk/subscriptions/${subscriptionId}`);
    return status === wanted;
  };
  await eventually(isThere, { what: `${subscriptionId} is ${wanted}` });
}

export const reactivate = (which = 0): Step =>
  onSubscription('reactivate', which, async (model, real) => {
    const answer = await real.player.command(
      `/sdk/subscriptions/${real.subscriptionId}/reactivate`,
    );
    if (model.status !== 'canceled') {
      strictEqual(answer.status, 400, 'reactivate');
      return;
    }
    requireOk(answer);
    Object.assign(model, { status: 'active', isCanceled: false });
    model.sent.push('subscription.reactivated');
  });
