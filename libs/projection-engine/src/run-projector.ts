import { ProjectorRun, type ProjectorOptions } from './projector-run.js';
import { connectForWriting } from './redis.js';

/**
 * Feeds the read models from the event store, for ever (architecture, "Life of an event"). Several
 * may run at once: each batch is applied by one of them. Whatever is lost or foreign in Redis is
 * rebuilt, aloud.
 *
 * @returns when `signal` is aborted.
 * @throws RebuildStopped when a rebuild meets an event that this release cannot apply.
 */
export async function runProjector(options: ProjectorOptions): Promise<void> {
  const redis = connectForWriting(options.redis);
  try {
    const run = new ProjectorRun(redis, options);
    while (!options.signal.aborted) await run.round();
  } finally {
    redis.disconnect();
  }
}
