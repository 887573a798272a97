import { SubCommand } from 'nest-commander';
import { subscriptionAggregate } from '#domain/subscription';
import { describeNext, describeSubscriptionEvent, readTimeline, sayMoney } from '#representations';
import { CliError } from '../cli-error.js';
import { print, printTimeline } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

@SubCommand({
  name: 'show',
  arguments: '<subscription>',
  description: 'the history of a subscription in plain words, its next step, and why',
})
export class ShowSubscription extends StoreCommand {
  async run([id = '']: string[], options: StoreCommandOptions): Promise<void> {
    const { state, events } = await this.withStore(options, (store) =>
      readTimeline(store, subscriptionAggregate, id, describeSubscriptionEvent),
    );
    if (state.status === 'none') throw new CliError(`There is no subscription ${id}.`);
    const { appId, player, planId, price, period, status } = state;
    const next = describeNext(state);
    const of = { subscriptionId: id, appId, player, status, planId, price, period };
    const lines = [
      `${id}: ${status}, plan ${planId}, ${sayMoney(price)} every ${period.value} ${period.unit}`,
      `Next: ${next.at === null ? '' : `${next.at}, `}${next.why}.`,
      printTimeline(events),
    ];
    print(options.json, { ...of, next, events }, lines.join('\n'));
  }
}
