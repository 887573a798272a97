import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forEachConcurrently } from '#platform';
import { World } from '../integration/worker/world.js';
import { FrontDoor } from '../support/cluster/front-door.js';
import { freePort } from '../support/free-port.js';
import { startProgram } from '../support/program.js';

/** A kilobyte each: a start that reads them takes several times the bound. */
const APPS = 150;
const WRITTEN_AT_ONCE = 16;
/** Leases, the ledger's division, the lists that were made; and events that go by while it starts. */
const BYTES_OF_A_START = 50_000;

describe('a start', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start();
    const numbers = Array.from({ length: APPS }, (_, n) => n);
    // All at once, the last ones would wait for longer than an append may take on a busy machine.
    await forEachConcurrently(numbers, WRITTEN_AT_ONCE, async () => {
      await world.createApp();
    });
  });
  afterAll(() => world.stop());

  it.each(['api', 'worker', 'storefront'])('of the %s reads nothing that grows', async (name) => {
    const door = await FrontDoor.before(world.store.port);
    const url = world.env['EVENTSTOREDB_URL'] ?? '';
    const program = await startProgram(name, {
      ...world.env,
      EVENTSTOREDB_URL: url.replace(`:${world.store.port}`, `:${door.port}`),
      PORT: String(await freePort()),
      STOREFRONT_PORT: String(await freePort()),
      STOREFRONT_URL: 'http://127.0.0.1:1',
    });
    const answeredBytes = door.answeredBytes;
    await program.stop();
    await door.shut();
    expect(answeredBytes).toBeGreaterThan(0);
    expect(answeredBytes).toBeLessThan(BYTES_OF_A_START);
  });
});
