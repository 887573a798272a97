import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { ReconcilePayments } from './reconcile.command.js';
import { RefundPaymentCommand } from './refund.command.js';
import { ShowPayment } from './show.command.js';

const subCommands = [ShowPayment, RefundPaymentCommand, ReconcilePayments];

@Command({
  name: 'payments',
  description: 'payments as their events tell them, and as the gateway has them',
  subCommands,
})
class PaymentsCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [PaymentsCommands, ...subCommands];
