import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { ErasePlayerCommand } from './erase.command.js';

const subCommands = [ErasePlayerCommand];

@Command({
  name: 'players',
  description: 'the players of an app, as far as the ledger knows them',
  subCommands,
})
class PlayersCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [PlayersCommands, ...subCommands];
