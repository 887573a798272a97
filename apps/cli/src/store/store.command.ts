import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { InitStore } from './init.command.js';

@Command({
  name: 'store',
  description: 'the event store of a ledger',
  subCommands: [InitStore],
})
export class StoreCommands extends CommandGroup {}
