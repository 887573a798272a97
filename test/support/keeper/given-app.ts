import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import process from 'node:process';
import type { Demo } from '../standalone.js';

/** Where the keeper listens: the set-up of the tiers sets it, and Vitest hands it to its workers. */
const KEEPER_SOCKET = 'SUBLEDGER_TEST_KEEPER';

/** An app of one file of tests, in the standalone that they share. */
export interface GivenApp {
  readonly dataDir: string;
  /** Addresses and secrets, as demo.json has them for the demo app. */
  readonly demo: Demo;
  /** A token of an operator for all apps. */
  readonly allAppsToken: string;
  /** Where the standalone takes an answer for Stripe's: of one file of tests, which listens there. */
  readonly stripePort: number;
}

/**
 * Asks the keeper for a new app. The first file waits for the standalone to start.
 *
 * @throws Error when the keeper does not run, or has no standalone to give.
 */
export async function askForApp(): Promise<GivenApp> {
  const socketPath = process.env[KEEPER_SOCKET];
  if (socketPath === undefined) throw new Error('these tests run by Vitest, with its set-up');
  const answer = await new Promise<{ status: number | undefined; body: string }>(
    (resolve, reject) => {
      // A connection of its own: one that an earlier file left open may be closed by the keeper right now.
      const asked = request({ socketPath, method: 'POST', agent: false }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      });
      asked.on('error', reject).end();
    },
  );
  if (answer.status !== 200) throw new Error(`the keeper gives no app: ${answer.body}`);
  return JSON.parse(answer.body) as GivenApp;
}
