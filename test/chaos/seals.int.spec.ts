import { expect, it } from 'vitest';
import { subledger } from '../cli/subledger.js';
import { killAtEach } from './seals.chaos.js';
import { BookkeeperPair } from './seals/pair.js';
import { SEAL_STEPS } from './seals/steps.js';

/** Behind both appends, and with the lease: `npm run test:long` has all. */
const SHORT = ['has appended a tile', 'has appended a checkpoint', 'has taken the lease'];

/** The short form of `npm run chaos -- seals`. */
it('gives each event one leaf, in one log, whatever the bookkeeper dies at', async () => {
  const steps = SEAL_STEPS.filter(({ name }) => SHORT.includes(name));
  expect(steps).toHaveLength(SHORT.length);
  const pair = await BookkeeperPair.start();
  try {
    const findings = await killAtEach(pair, steps, 1, () => undefined);
    expect(findings.lines).toEqual([]);
    expect(pair.events).toBeGreaterThan(steps.length * 256);
    const { connectionString } = pair.ledger.server;
    const env = { EVENTSTOREDB_URL: connectionString, SEAL_KEY_FILE: pair.keyFile };
    const verified = await subledger(['seal', 'verify', '--json'], env);
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({ size: pair.events, findings: [] });
  } finally {
    await pair.stop();
  }
});
