import { CheckStore } from './check.command.js';
import { CopyStore } from './copy.command.js';
import { InitStore } from './init.command.js';
import { RepartitionStore } from './partitions.command.js';
import { NoteRestore } from './restored.command.js';
import { ScavengeStore } from './scavenge.command.js';
import { StoreCommands } from './store.command.js';

/** The group's own name first. */
export const commands = [
  StoreCommands,
  CheckStore,
  CopyStore,
  InitStore,
  RepartitionStore,
  NoteRestore,
  ScavengeStore,
];
