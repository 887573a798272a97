import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ShowOrder } from './show.command.js';

@Command({
  name: 'orders',
  description: 'orders as their events tell them',
  subCommands: [ShowOrder],
})
export class OrdersCommands extends CommandGroup {}
