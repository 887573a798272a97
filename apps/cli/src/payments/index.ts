import { ReconcilePayments } from './reconcile.command.js';
import { RefundPaymentCommand } from './refund.command.js';
import { ShowPayment } from './show.command.js';

export const commands = [ShowPayment, RefundPaymentCommand, ReconcilePayments];
