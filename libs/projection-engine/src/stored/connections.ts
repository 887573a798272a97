import { openRedis, type Redis } from '#redis';
import { CONNECT_LIMIT_MS, READ_LIMIT_MS, WRITE_LIMIT_MS } from '../limits.js';

/**
 * A connection for reading: commands of one turn of the event loop leave together. Commands fail
 * at once, or nearly so, when Redis is out of reach.
 */
export function connectForReading(url: string): Redis {
  return openRedis(url, {
    ...IMPATIENT,
    commandTimeout: READ_LIMIT_MS,
    gathersWrites: true,
  });
}

/** A connection for the projector's scripts: those of a batch leave together, within a longer limit. */
export function connectForWriting(url: string): Redis {
  return openRedis(url, {
    ...IMPATIENT,
    commandTimeout: WRITE_LIMIT_MS,
    gathersWrites: true,
  });
}

/** A connection that only listens: its user subscribes each time that the connection is ready. */
export function connectForListening(url: string): Redis {
  return openRedis(url, { connectTimeout: CONNECT_LIMIT_MS, autoResubscribe: false });
}

/** A call that waits for a connection fails with the first attempt that does. */
const IMPATIENT = { connectTimeout: CONNECT_LIMIT_MS, maxRetriesPerRequest: 0 };
