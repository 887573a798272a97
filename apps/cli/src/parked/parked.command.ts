import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ListParked } from './list.command.js';
import { RetryParked } from './retry.command.js';

@Command({
  name: 'parked',
  description: 'streams that wait, since an event of theirs could not be worked on',
  subCommands: [ListParked, RetryParked],
})
export class ParkedCommands extends CommandGroup {}
