import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { RotateMasterKey } from './rotate.command.js';

@Command({
  name: 'master-key',
  description: 'the key that every secret is sealed under',
  subCommands: [RotateMasterKey],
})
export class MasterKeyCommands extends CommandGroup {}
