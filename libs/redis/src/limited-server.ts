import { type Command, Redis as Server } from 'ioredis';

type Sent = Parameters<Server['sendCommand']>;

/**
 * A connection for BullMQ's workers: each call ends within a limit. The connection that a worker duplicates for the one
 * call that blocks is the library's own and has none, since the library's `commandTimeout` would end that call, too.
 */
export class LimitedServer extends Server {
  callLimitMs: number | undefined;

  override sendCommand(
    command: Command,
    ...into: Sent extends [unknown, ...infer Rest] ? Rest : []
  ) {
    if (this.callLimitMs !== undefined) command.setTimeout(this.callLimitMs);
    return super.sendCommand(command, ...into);
  }
}
