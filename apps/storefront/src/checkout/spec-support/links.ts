import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { CommandExecutor, CommandContext } from '#event-store';

export const NOW = '2027-01-31T10:00:00.000Z';
const APP_ID = 'app_00000001';
export const context: CommandContext = {
  appId: APP_ID,
  environment: 'test',
  actor: 'app',
  correlationId: 'r',
  now: NOW,
};

/** Makes a link that sells a plan for 9.99 a month. */
export async function makeLink(
  commands: CommandExecutor,
  linkId: string,
  more: { readonly language?: string } = {},
): Promise<void> {
  const offer = {
    planId: 'plan_1',
    planName: 'Gold',
    planDescription: '',
    price: { amountMinor: '999', currency: 'USD' },
    period: { value: 1, unit: 'month' },
    trial: null,
  } as const;
  const link = {
    ...{
      linkId,
      appId: APP_ID,
      player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
      offer,
      regionCode: 'US',
    },
    ...{ language: '', returnUrl: '', personal: {} },
    ...{ createdAt: NOW, expiresAt: '2027-02-01T10:00:00.000Z', ...more },
  };
  const command = { kind: 'CreateCheckoutLink', link } as const;
  await commands.execute(checkoutLinkAggregate, linkId, command, context);
}
