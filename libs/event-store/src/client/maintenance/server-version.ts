import type { EventStoreDBClient } from '@eventstore/db-client';
import { withTimeLimit } from '#platform';
import { exposeInternals } from '../client-internals.js';
import { toFault } from '../errors.js';
import { READ_IDLE_MS } from '../../streams/limits.js';

/** Such as `23.10.8`; `unknown` of a server that does not tell. @throws Fault. */
export async function readServerVersion(client: EventStoreDBClient): Promise<string> {
  try {
    const { capabilities } = exposeInternals(client);
    return (await withTimeLimit(capabilities, READ_IDLE_MS, 'the event store')).serverVersion;
  } catch (error) {
    throw toFault(error, 'asking for the version');
  }
}
