import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { CheckStore } from './check.command.js';
import { CopyStore } from './copy.command.js';
import { InitStore, NoteRestore, RepartitionStore } from './namespace.commands.js';
import { ScavengeStore } from './scavenge.command.js';

const subCommands = [
  CheckStore,
  CopyStore,
  InitStore,
  RepartitionStore,
  NoteRestore,
  ScavengeStore,
];

@Command({ name: 'store', description: 'the event store of a ledger', subCommands })
class StoreCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [StoreCommands, ...subCommands];
