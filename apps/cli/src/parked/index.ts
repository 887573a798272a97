import { ListParked } from './list.command.js';
import { ParkedCommands } from './parked.command.js';
import { RetryParked } from './retry.command.js';

/** The group's own name first. */
export const commands = [ParkedCommands, ListParked, RetryParked];
