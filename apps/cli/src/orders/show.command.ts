import { SubCommand } from 'nest-commander';
import { orderAggregate } from '#domain/order';
import { describeNextOfOrder, describeOrderEvent, readTimeline, sayMoney } from '#representations';
import { CliError } from '../cli-error.js';
import { print, printTimeline } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

@SubCommand({
  name: 'show',
  arguments: '<order>',
  description: 'the items of an order, its history in plain words, and its next step',
})
class ShowOrder extends StoreCommand {
  async run([id = '']: string[], options: StoreCommandOptions): Promise<void> {
    const { state, events } = await this.withStore(options, (store) =>
      readTimeline(store, orderAggregate, id, describeOrderEvent),
    );
    if (state.status === 'none') throw new CliError(`There is no order ${id}.`);
    const { appId, player, status, source, items, quote, paidBy, totalRefunded } = state;
    const next = describeNextOfOrder(state);
    const of = { orderId: id, appId, player, status, source, items, quote };
    const refunded =
      totalRefunded.amountMinor === '0' ? '' : `, ${sayMoney(totalRefunded)} given back`;
    const lines = [
      `${id}: ${status}, ${sayMoney(quote.amount)}${refunded}`,
      `Next: ${next.at === null ? '' : `${next.at}, `}${next.why}.`,
      printTimeline(events),
    ];
    print(
      options.json,
      { ...of, paymentId: paidBy, totalRefunded, next, events },
      lines.join('\n'),
    );
  }
}

export const commands = [ShowOrder];
