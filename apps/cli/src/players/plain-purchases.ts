import { checkoutLinkAggregate } from '#domain/checkout-link';
import { paymentAggregate } from '#domain/payment';
import type { PersonalOwner } from '#domain/personal-data';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor } from '#event-store';
import type { Purchases } from './purchases.js';

/**
 * The ids of a player's purchases whose events hold the studio's id of the player in the clear, since they are of
 * before decision 0097: nothing takes it out of them (rules/storage 16).
 *
 * @throws Fault.
 */
export async function listPlainPurchases(
  commands: CommandExecutor,
  purchases: Purchases,
): Promise<string[]> {
  const plain: string[] = [];
  for (const aggregate of [checkoutLinkAggregate, subscriptionAggregate, paymentAggregate]) {
    for (const id of purchases.list(aggregate)) {
      // Loading folds and decides nothing.
      const { state } = await commands.load(aggregate as typeof subscriptionAggregate, id);
      if (state.status !== 'none' && isPlain(state)) plain.push(id);
    }
  }
  return plain;
}

function isPlain({ personal }: PersonalOwner): boolean {
  return personal.accountId !== undefined;
}
