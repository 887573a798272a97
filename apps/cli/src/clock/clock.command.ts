import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { AdvanceClock } from './advance.command.js';

@Command({
  name: 'clock',
  description: 'the clocks of test apps',
  subCommands: [AdvanceClock],
})
export class ClockCommands extends CommandGroup {}
