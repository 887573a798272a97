import { PaymentsCommands } from './payments.command.js';
import { ReconcilePayments } from './reconcile.command.js';
import { RefundPaymentCommand } from './refund.command.js';
import { ShowPayment } from './show.command.js';

/** The group's own name first. */
export const commands = [PaymentsCommands, ShowPayment, RefundPaymentCommand, ReconcilePayments];
