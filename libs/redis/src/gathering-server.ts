import { type Command, Redis as Server } from 'ioredis';

type Sent = Parameters<Server['sendCommand']>;

/**
 * A connection whose commands of one turn of the event loop leave in one write. The library's own way of that, automatic
 * pipelines, keeps each pipeline with its commands and answers until V8 collects its old memory: a property is defined
 * on it by a function of its own, so that V8 makes a form of objects for it that lives there. It also holds back all that
 * comes while a pipeline is answered.
 */
export class GatheringServer extends Server {
  override sendCommand(
    command: Command,
    ...into: Sent extends [unknown, ...infer Rest] ? Rest : []
  ) {
    const { stream } = this;
    // There is none before the first attempt to connect.
    if ((stream as typeof stream | undefined)?.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(command, ...into);
  }
}
