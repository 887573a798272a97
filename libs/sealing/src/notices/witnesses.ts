import { appAggregate } from '#domain/app';
import { endpointListAggregate } from '#domain/endpoint-list';
import type { Environment, Instant } from '#domain/event';
import { SEAL_WITNESSES_ID, sealWitnessesAggregate } from '#domain/seal';
import { testClockAggregate, testClockNow } from '#domain/test-clock';
import { isRunning, LEDGER_SEALED, webhookEndpointAggregate } from '#domain/webhook-endpoint';
import type { CommandExecutor } from '#event-store';
import { wallClock } from '#platform';

/** An app that may witness the ledger, and has an endpoint that asks for it. */
export interface Witness {
  readonly appId: string;
  readonly environment: Environment;
  /** By the app's own clock, as the times of its endpoints are. */
  readonly now: Instant;
}

type Streams = Pick<CommandExecutor, 'load'>;

/** The apps to notify of checkpoints now. @throws Fault of the store. */
export async function listWitnesses(streams: Streams): Promise<Witness[]> {
  const { state } = await streams.load(sealWitnessesAggregate, SEAL_WITNESSES_ID);
  const witnesses: Witness[] = [];
  for (const appId of state.appIds) {
    const { state: app } = await streams.load(appAggregate, appId);
    if (app.status === 'none' || !app.sealWitness || !(await hasAsked(streams, appId))) continue;
    const { environment } = app;
    witnesses.push({ appId, environment, now: await readClock(streams, appId, environment) });
  }
  return witnesses;
}

/** A disabled endpoint holds its messages: it asks as well. */
async function hasAsked(streams: Streams, appId: string): Promise<boolean> {
  const { state } = await streams.load(endpointListAggregate, appId);
  for (const endpointId of state.endpointIds) {
    const { state: endpoint } = await streams.load(webhookEndpointAggregate, endpointId);
    if (isRunning(endpoint) && endpoint.eventTypes.includes(LEDGER_SEALED)) return true;
  }
  return false;
}

async function readClock(
  streams: Streams,
  appId: string,
  environment: Environment,
): Promise<Instant> {
  if (environment !== 'test') return wallClock.now();
  const { state } = await streams.load(testClockAggregate, appId);
  return testClockNow(state, wallClock.now());
}
