import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { RotateMasterKey } from './rotate.command.js';

const subCommands = [RotateMasterKey];

@Command({
  name: 'master-key',
  description: 'the key that every secret is sealed under',
  subCommands,
})
class MasterKeyCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [MasterKeyCommands, ...subCommands];
