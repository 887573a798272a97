import { describe, expect, it } from 'vitest';
import { useOwnLedger } from '../support/fixture.js';
import { BODY_RULES } from './edge/body-rules.js';
import { testRules, useEdge } from './edge/edge-tests.js';
import { exchange } from './edge/exchange.js';
import { fuzz } from './edge/fuzz.js';
import { toWire } from './edge/hostile-request.js';
import {
  isActOnReadModel,
  isOfClosedMonth,
  isOfStripe,
  type Operation,
} from './edge/operations.js';
import { fieldName, listPlaces, valueAt } from './edge/places.js';
import { REQUEST_RULES } from './edge/request-rules.js';
import { buildSample } from './edge/samples.js';
import { makeScene } from './edge/scene.js';

/** edge.long.spec.ts puts all bad values into each field. */
const VALUES_AT_PLACE = 1;

const ledger = useOwnLedger();
const edge = useEdge(ledger);

describe('on every operation of the document', () => {
  it('the hostile requests are made of one that sets every field: `samples.ts` has them all', () => {
    const unset = edge.operations.flatMap((operation) => {
      const { body } = buildSample(operation, edge.scene, 'whole');
      const places = Buffer.isBuffer(body) ? [] : listPlaces(operation.body?.schema ?? {});
      return places
        .filter(({ path }) => path.length > 0 && valueAt(body, path) === undefined)
        .map((place) => `${operation.id}: ${fieldName(place)}`);
    });
    // A plan is named by its code or by its id, not by both; an amount that is named leaves no unused credit to decide
    // about; items and a resend are named in one of three ways.
    expect(unset).toEqual([
      'changeLinks_create: unusedCredit',
      'checkoutLinks_create: plan.id',
      'finance_setPolicy: itemClasses.0.match.id',
      'finance_setPolicy: itemClasses.0.match.metadata',
      'finance_setPolicy: itemClasses.0.match.metadata.key',
      'finance_setPolicy: itemClasses.0.match.metadata.value',
      'webhookEndpoints_resend: webhookId',
      'webhookEndpoints_resend: streamName',
      'webhookEndpoints_resend: revision',
      'webhookEndpoints_resend: failed',
      'webhookEndpoints_resend: pageToken',
    ]);
  });

  it('what the hostile requests are made of is accepted as it is', async () => {
    const own = await makeScene(edge.apps, 2);
    const refused: string[] = [];
    // A deleted object is not there for the others.
    const isDelete = ({ method }: { method: string }) => Number(method === 'DELETE');
    const isAlone = (operation: Operation) =>
      ![isActOnReadModel, isOfStripe, isOfClosedMonth].some((needsMore) => needsMore(operation));
    const alone = edge.operations.filter(isAlone);
    const inOrder = alone.toSorted((left, right) => isDelete(left) - isDelete(right));
    for (const operation of inOrder) {
      const { status, bytes } = await exchange(
        edge.baseUrl,
        toWire(buildSample(operation, own, 'valid')),
      );
      if (status >= 300) refused.push(`${operation.id}: ${status} ${bytes.toString('utf8')}`);
    }
    expect(refused).toEqual([]);
    await edge.watch.newEvents();
  });

  testRules(edge, BODY_RULES, VALUES_AT_PLACE);
  testRules(edge, REQUEST_RULES);
});

/** The short form of `npm run chaos -- edge`. */
it('no hostile request is answered with 5xx, and no refused one changes anything', async () => {
  const { standalone, allAppsToken } = ledger;
  const report = await fuzz({ standalone, allAppsToken, seed: 1, first: 0, count: 100 });
  expect(report.findings).toEqual([]);
  expect(report.requests).toBe(100);
  expect(report.acceptedShare).toBeGreaterThan(0.1);
});
