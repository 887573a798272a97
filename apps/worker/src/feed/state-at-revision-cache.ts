import { Inject, Injectable } from '@nestjs/common';
import { type CommandExecutor, type Partitions, StatesAtRevision } from '#event-store';
import { STATES_KEPT } from '../limits.js';
import { COMMANDS, PARTITIONS } from '../tokens.js';

/** The partition's share of the states that a worker keeps while events go by. */
@Injectable()
export class StateAtRevisionCache extends StatesAtRevision {
  constructor(
    @Inject(COMMANDS) commands: Pick<CommandExecutor, 'load'>,
    @Inject(PARTITIONS) { count }: Partitions,
  ) {
    super(commands, Math.ceil(STATES_KEPT / count));
  }
}
