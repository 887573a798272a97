import { afterAll, beforeAll, expect, it } from 'vitest';
import type { useOwnLedger } from '../../support/fixture.js';
import { sealStandalone } from '../../support/seal/seal-standalone.js';
import { checkRule } from './check-rule.js';
import { LedgerWatch } from './ledger-watch.js';
import { type Operation, readOperations } from './operations.js';
import type { Rule } from './rule.js';
import { type Apps, makeApps, makeScene, type Scene } from './scene.js';

/** The target of hostile requests, and the watch over their changes. */
export interface Edge {
  baseUrl: string;
  operations: readonly Operation[];
  apps: Apps;
  scene: Scene;
  watch: LedgerWatch;
}

/** Gives a file of tests the operations of a ledger and their samples. */
export function useEdge(ledger: ReturnType<typeof useOwnLedger>): Edge {
  // Filled before the first test runs; tests are the only ones that look.
  const edge = {} as Edge;
  beforeAll(async () => {
    const { standalone, allAppsToken } = ledger;
    const { baseUrl } = standalone;
    const operations = await readOperations(baseUrl);
    const apps = await makeApps(standalone.demo, allAppsToken);
    const scene = await makeScene(apps, 1);
    await sealStandalone(standalone);
    const watch = new LedgerWatch(await standalone.eventStoreUrl());
    await watch.newEvents();
    Object.assign(edge, { baseUrl, operations, apps, scene, watch });
  });
  afterAll(async () => edge.watch.close());
  return edge;
}

/** A test for each rule. @param valuesAtPlace how many bad values each field gets: all unless given. */
export function testRules(edge: Edge, rules: readonly Rule[], valuesAtPlace?: number): void {
  it.each(rules)('$name, and nothing is changed', async (rule) => {
    const { operations, scene, baseUrl } = edge;
    const { cases, broken } = await checkRule(rule, operations, scene, baseUrl, valuesAtPlace);
    expect({ broken, changed: await changes(edge) }).toEqual({ broken: [], changed: [] });
    expect(cases).toBeGreaterThan(0);
  });
}

/** Everything in the ledger that came since it was asked last, but for events of processes that go on by themselves. */
async function changes({ watch }: Edge): Promise<readonly string[]> {
  const events = await watch.newEvents();
  return events
    .filter(({ actor }) => !actor.startsWith('process:'))
    .map(({ type, streamName, actor }) => `${type} in ${streamName} by ${actor}`);
}
