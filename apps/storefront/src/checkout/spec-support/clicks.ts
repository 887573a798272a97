import type { PaymentGateways } from '#gateway';
import { CommandContexts, type CommandSource, type Ledger } from '#nest';
import type { AppDirectory } from '#tenancy';
import { ChosenMethods } from '../../links/chosen-methods.js';
import { KnownLinks } from '../../links/known-links.js';
import { LinkNews } from '../../links/link-news.js';
import { AttemptCheckout, AttemptCheckoutHandler } from '../attempt-checkout.handler.js';
import { ChangeQuotes } from '../change-quotes.js';
import { HASH_KEYS, NOW } from '../../links/spec-support/links.js';

interface Process {
  readonly links?: Pick<KnownLinks, 'find' | 'findSold'>;
  readonly quotes?: Pick<ChangeQuotes, 'find'>;
  /** The gateway of the app, as it is set now. */
  readonly gateway?: () => object;
}

interface Click {
  readonly key?: string;
  readonly rawBody?: string;
  readonly choice?: Partial<AttemptCheckout['choice']>;
}

/** Clicks on links, by how they are answered: the number of the attempt, or the reason why there is none. */
export function makeClicks(ledger: Ledger, process: Process = {}) {
  const { links = new KnownLinks(ledger, new LinkNews()) } = process;
  const { quotes = new ChangeQuotes(ledger), gateway = () => ({ knows: () => true }) } = process;
  const apps = { find: async () => ({ environment: 'test' }), now: () => NOW };
  const handler = new AttemptCheckoutHandler(
    ...([ledger, new CommandContexts(apps as unknown as AppDirectory, HASH_KEYS)] as const),
    ...([links as KnownLinks, quotes as ChangeQuotes] as const),
    new ChosenMethods({ find: async () => gateway() } as unknown as PaymentGateways),
    { now: () => NOW },
  );
  return (linkId: string, { key, rawBody = '', choice: more }: Click = {}): Promise<string> => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const request = { id: 'r', method: 'POST', url: '/checkout', rawBody, headers };
    const source = request as unknown as CommandSource;
    const choice = { paymentMethod: 'pm_ok', amountCents: undefined, quotedAt: undefined, ...more };
    return handler.execute(new AttemptCheckout({ linkId, choice, source })).then(
      ({ attempt, replayed }) => `${attempt}${replayed ? ' again' : ''}`,
      (error: unknown) => (error as { reason: string }).reason,
    );
  };
}
