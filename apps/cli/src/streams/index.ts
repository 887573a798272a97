import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { ReadStream } from './read.command.js';

const subCommands = [ReadStream];

@Command({ name: 'streams', description: 'the events as they are stored, for audits', subCommands })
class StreamsCommand extends CommandGroup {}

/** The group's own name first. */
export const commands = [StreamsCommand, ...subCommands];
