import { ReadStream } from './read.command.js';
import { ReplayStream } from './replay.command.js';

export const commands = [ReadStream, ReplayStream];
