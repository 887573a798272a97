import { SubCommand } from 'nest-commander';
import { sayMoney } from '#representations';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { askRefund, type RefundReport } from './ask-refund.js';

interface RefundOptions extends StoreCommandOptions {
  readonly amount?: string;
}

@SubCommand({
  name: 'refund',
  arguments: '<payment>',
  description:
    'give back a part of a payment, or all that is left of it; a worker asks the gateway',
})
@Options({
  '--amount <amount>': [
    'how much, such as 4.00; all that is left without it',
    (value) => {
      if (/^\d{1,15}(?:\.\d{1,4})?$/.test(value) && /[1-9]/.test(value)) return value;
      throw new CliError('--amount must be an amount above 0, such as 4.00.', 'usage');
    },
  ],
})
export class RefundPaymentCommand extends StoreCommand {
  async run([id = '']: string[], options: RefundOptions): Promise<void> {
    const report = await this.withStore(options, (store) => askRefund(store, id, options.amount));
    print(options.json, report, describe(report));
    if (report.outcome !== 'refused') return;
    const message = 'The gateway does not give this payment back.';
    throw new CliError(message, 'refused', [], 'REFUND_REFUSED');
  }
}

function describe({ paymentId, refundId, amount, outcome }: RefundReport): string {
  const what = `${sayMoney(amount)} of ${paymentId}`;
  switch (outcome) {
    case 'refunded':
      return `${what} was given back as ${refundId}.`;
    case 'refused':
      return `${what} was not given back: the gateway refuses ${refundId}.`;
    case 'asked':
      return `${what} is asked for as ${refundId}; "subledger payments show" has its outcome.`;
  }
}
