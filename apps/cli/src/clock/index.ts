import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { AdvanceClock } from './advance.command.js';

const subCommands = [AdvanceClock];

@Command({ name: 'clock', description: 'the clocks of test apps', subCommands })
class ClockCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [ClockCommands, ...subCommands];
