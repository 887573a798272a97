import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useOwnLedger } from '../support/fixture.js';
import { BODY_RULES } from './edge/body-rules.js';
import { checkRule } from './edge/check-rule.js';
import { exchange } from './edge/exchange.js';
import { fuzz } from './edge/fuzz.js';
import { toWire } from './edge/hostile-request.js';
import { LedgerWatch } from './edge/ledger-watch.js';
import { type Operation, readOperations } from './edge/operations.js';
import { fieldName, listPlaces, valueAt } from './edge/places.js';
import { REQUEST_RULES } from './edge/request-rules.js';
import { buildSample } from './edge/samples.js';
import { type Apps, makeApps, makeScene, type Scene } from './edge/scene.js';

const ledger = useOwnLedger();
let baseUrl: string;
let operations: readonly Operation[];
let apps: Apps;
let scene: Scene;
let watch: LedgerWatch;

beforeAll(async () => {
  const { standalone } = ledger;
  ({ baseUrl } = standalone);
  operations = await readOperations(baseUrl);
  apps = await makeApps(standalone.demo, ledger.allAppsToken);
  scene = await makeScene(apps, 1);
  watch = new LedgerWatch(await standalone.eventStoreUrl());
  await watch.newEvents();
});

afterAll(async () => watch.close());

describe('on every operation of the document', () => {
  it('the hostile requests are made of one that sets every field: `samples.ts` has them all', () => {
    const unset = operations.flatMap((operation) => {
      const { body } = buildSample(operation, scene, 'whole');
      const places = Buffer.isBuffer(body) ? [] : listPlaces(operation.body?.schema ?? {});
      return places
        .filter(({ path }) => path.length > 0 && valueAt(body, path) === undefined)
        .map((place) => `${operation.id}: ${fieldName(place)}`);
    });
    // A plan is named by its code or by its id, not by both; what is resent is named in one of three ways.
    expect(unset).toEqual([
      'checkoutLinks_create: plan.id',
      'webhookEndpoints_resend: webhookId',
      'webhookEndpoints_resend: failed',
      'webhookEndpoints_resend: pageToken',
    ]);
  });

  it('what the hostile requests are made of is accepted as it is', async () => {
    const own = await makeScene(apps, 2);
    const refused: string[] = [];
    // What is deleted is not there for the others.
    const isDelete = ({ method }: { method: string }) => Number(method === 'DELETE');
    const inOrder = operations.toSorted((left, right) => isDelete(left) - isDelete(right));
    for (const operation of inOrder) {
      const { status, bytes } = await exchange(
        baseUrl,
        toWire(buildSample(operation, own, 'valid')),
      );
      if (status >= 300) refused.push(`${operation.id}: ${status} ${bytes.toString('utf8')}`);
    }
    expect(refused).toEqual([]);
    await watch.newEvents();
  });

  it.each([...BODY_RULES, ...REQUEST_RULES])('$name, and nothing is changed', async (rule) => {
    const { cases, broken } = await checkRule(rule, operations, scene, baseUrl);
    expect({ broken, changed: await changes() }).toEqual({ broken: [], changed: [] });
    expect(cases).toBeGreaterThan(0);
  });
});

/** The short form of `npm run chaos -- edge`. */
it('no hostile request is answered with 5xx, and no refused one changes anything', async () => {
  const { standalone, allAppsToken } = ledger;
  const report = await fuzz({ standalone, allAppsToken, seed: 1, first: 0, count: 100 });
  expect(report.findings).toEqual([]);
  expect(report.requests).toBe(100);
  expect(report.acceptedShare).toBeGreaterThan(0.1);
});

/** Everything in the ledger that came since it was asked last, but for what processes go on doing. */
async function changes(): Promise<readonly string[]> {
  const events = await watch.newEvents();
  return events
    .filter(({ actor }) => !actor.startsWith('process:'))
    .map(({ type, streamName, actor }) => `${type} in ${streamName} by ${actor}`);
}
