import { SubCommand } from 'nest-commander';
import { paymentAggregate, type RequestedPayment } from '#domain/payment';
import { describePaymentEvent, readTimeline, sayMoney } from '#representations';
import { CliError } from '../cli-error.js';
import { print, printTimeline } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

@SubCommand({
  name: 'show',
  arguments: '<payment>',
  description: 'the purpose, the lines and the history of a payment in plain words',
})
export class ShowPayment extends StoreCommand {
  async run([id = '']: string[], options: StoreCommandOptions): Promise<void> {
    const { state, events } = await this.withStore(options, (store) =>
      readTimeline(store, paymentAggregate, id, describePaymentEvent),
    );
    if (state.status === 'none') throw new CliError(`There is no payment ${id}.`);
    const { appId, player, status, amount, lines, purpose, totalRefunded, openRefunds } = state;
    const of = { paymentId: id, appId, player, status, amount, lines, purpose };
    const shown = { ...of, totalRefunded, openRefunds, events };
    print(options.json, shown, [describe(state), printTimeline(events)].join('\n'));
  }
}

function describe({
  paymentId,
  status,
  amount,
  totalRefunded,
  openRefunds,
}: RequestedPayment): string {
  const refunded =
    totalRefunded.amountMinor === '0' ? '' : `, ${sayMoney(totalRefunded)} given back`;
  const open = openRefunds
    .map((refund) => `, ${sayMoney(refund.amount)} being given back`)
    .join('');
  return `${paymentId}: ${status}, ${sayMoney(amount)}${refunded}${open}`;
}
