import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ReconcilePayments } from './reconcile.command.js';
import { RefundPaymentCommand } from './refund.command.js';
import { ShowPayment } from './show.command.js';

@Command({
  name: 'payments',
  description: 'payments as their events tell them, and as the gateway has them',
  subCommands: [ShowPayment, RefundPaymentCommand, ReconcilePayments],
})
export class PaymentsCommands extends CommandGroup {}
