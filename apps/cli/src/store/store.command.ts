import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { CheckStore } from './check.command.js';
import { CopyStore } from './copy.command.js';
import { InitStore } from './init.command.js';
import { RepartitionStore } from './partitions.command.js';
import { NoteRestore } from './restored.command.js';
import { ScavengeStore } from './scavenge.command.js';

@Command({
  name: 'store',
  description: 'the event store of a ledger',
  subCommands: [CheckStore, CopyStore, InitStore, RepartitionStore, NoteRestore, ScavengeStore],
})
export class StoreCommands extends CommandGroup {}
