import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ErasePlayerCommand } from './erase.command.js';

@Command({
  name: 'players',
  description: 'the players of an app, as far as the ledger knows them',
  subCommands: [ErasePlayerCommand],
})
export class PlayersCommands extends CommandGroup {}
