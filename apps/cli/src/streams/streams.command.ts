import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ReadStream } from './read.command.js';

@Command({
  name: 'streams',
  description: 'the events as they are stored, for audits',
  subCommands: [ReadStream],
})
export class StreamsCommand extends CommandGroup {}
