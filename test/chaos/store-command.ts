import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type ProcessLimits, spawnStore } from '../support/store-process.js';

/** Runs a command of the event store's program (`verify`, `backup`, `restore`) as a user does. */
export async function runStoreCommand(
  args: readonly string[],
  limits: ProcessLimits = {},
): Promise<{ code: number; said: string }> {
  const child = spawnStore(args, limits);
  const exited = once(child, 'exit') as Promise<[number]>;
  // Its output is piped.
  const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  const [code] = await exited;
  return { code, said: (out + err).trim() };
}
