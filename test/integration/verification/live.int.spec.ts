import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dueDates, payments, subscriptions } from '#projections';
import { type VerificationReport, verifyFull, verifySample } from '#verification';
import { writeHistories } from '../../bench/histories.js';
import {
  startProjector,
  subscriptionCanceled,
  subscriptionReactivated,
} from '../projection-engine/support.js';
import { BuiltLedger } from './support.js';

/** Some hundred verifications, while documents change in each of them. */
const ROUNDS = 20;

describe('a read model that is verified while events are applied', () => {
  let ledger: BuiltLedger;
  let projector: Awaited<ReturnType<typeof startProjector>>;
  let changes = 0;

  beforeAll(async () => {
    ledger = await BuiltLedger.build();
    projector = await startProjector(ledger.store, ledger.redisUrl);
  });
  afterAll(async () => {
    await projector.stop();
    await ledger.stop();
  });

  /** Changes each subscription once, and adds one, while others do something else. */
  async function write(): Promise<void> {
    changes += 1;
    const event = changes % 2 === 0 ? subscriptionReactivated : subscriptionCanceled;
    const { store, subscriptionIds } = ledger;
    await Promise.all(subscriptionIds.map((id) => store.append(`subscription-${id}`, [event])));
    if (changes % 4 === 0) await writeHistories(store.client, 1, { payments: 2 });
  }

  it.each([subscriptions, payments, dueDates])('is never $name with a difference', async (each) => {
    const reports: VerificationReport[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const options = ledger.options(each);
      const verify = async () => {
        reports.push(await verifySample({ ...options, count: 30 }), await verifyFull(options));
      };
      await Promise.all([verify(), write()]);
    }
    expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
    expect(reports.every(({ checked }) => checked > 0)).toBe(true);
    // Few documents change so often that nothing can be said of them.
    const uncompared = reports.reduce((sum, report) => sum + report.uncompared, 0);
    const checked = reports.reduce((sum, report) => sum + report.checked, 0);
    expect(uncompared).toBeLessThan(checked / 100);
  });
});
