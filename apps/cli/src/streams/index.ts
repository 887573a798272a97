import { ReadStream } from './read.command.js';
import { StreamsCommand } from './streams.command.js';

/** The group's own name first. */
export const commands = [StreamsCommand, ReadStream];
