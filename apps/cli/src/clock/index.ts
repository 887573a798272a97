import { AdvanceClock } from './advance.command.js';
import { ClockCommands } from './clock.command.js';

/** The group's own name first. */
export const commands = [ClockCommands, AdvanceClock];
