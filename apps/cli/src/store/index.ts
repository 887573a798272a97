import { CheckStore } from './check.command.js';
import { CopyStore } from './copy.command.js';
import { InitStore, NoteRestore, RepartitionStore } from './namespace.commands.js';
import { ScavengeStore } from './scavenge.command.js';

export const commands = [
  ...[CheckStore, CopyStore, InitStore, RepartitionStore, NoteRestore, ScavengeStore],
];
