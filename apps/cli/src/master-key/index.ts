import { MasterKeyCommands } from './master-key.command.js';
import { RotateMasterKey } from './rotate.command.js';

/** The group's own name first. */
export const commands = [MasterKeyCommands, RotateMasterKey];
