import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ShowPayment } from './show.command.js';

@Command({
  name: 'payments',
  description: 'payments as their events tell them',
  subCommands: [ShowPayment],
})
export class PaymentsCommands extends CommandGroup {}
