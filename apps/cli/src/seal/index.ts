import { KEY_COMMANDS, SealKeyCommands } from './key.commands.js';

export const commands = [SealKeyCommands];

/** Of a group within the group. */
export const nested = KEY_COMMANDS;
