import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { ShowOrder } from './show.command.js';

const subCommands = [ShowOrder];

@Command({ name: 'orders', description: 'orders as their events tell them', subCommands })
class OrdersCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [OrdersCommands, ...subCommands];
