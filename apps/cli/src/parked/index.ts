import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { ListParked, RetryParked } from './parked.commands.js';

const subCommands = [ListParked, RetryParked];

@Command({
  name: 'parked',
  description: 'streams that wait, since an event of theirs could not be worked on',
  subCommands,
})
class ParkedCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [ParkedCommands, ...subCommands];
