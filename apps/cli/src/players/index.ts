import { ErasePlayerCommand } from './erase.command.js';
import { PlayersCommands } from './players.command.js';

/** The group's own name first. */
export const commands = [PlayersCommands, ErasePlayerCommand];
