import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  type CheckoutLink,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
} from '#domain/checkout-link';
import { isId } from '#domain/ids';
import type { CommandExecutor } from '#event-store';
import { ApiError, COMMAND_EXECUTOR, notFound } from '#nest';
import { BoundedLookups } from '#tenancy';

/** Links live for a day: these are more than are paid in one, in some 10 MB. */
const KNOWN_LINKS = 100_000;
/** Look-ups are counted by the second. */
const RETRY_MS = 1000;

/**
 * Finds checkout links for callers without credentials, who can make ids up (rules/payments 5). Links
 * that this process has made or seen are read whenever they are asked for; the others within a bound.
 */
@Injectable()
export class CheckoutLinkLookups {
  private readonly known = new LRUCache<string, true>({ max: KNOWN_LINKS });
  private readonly lookups = new BoundedLookups((linkId) => this.load(linkId));

  constructor(@Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor) {}

  /** Tells of a link that was just made: a flood of made-up ids does not keep its buyer out. */
  learn(linkId: string): void {
    this.known.set(linkId, true);
  }

  /** @throws ApiError where there is no such link, or where too many unknown ones are asked for. */
  async find(linkId: string): Promise<CreatedCheckoutLink> {
    if (!isId('cl', linkId)) throw notFound('checkout link', linkId);
    const isKnown = this.known.get(linkId) === true;
    const link = await (isKnown ? this.load(linkId) : this.lookups.find(linkId));
    // Nothing is known of it, and it may well be there: a buyer must not be told otherwise.
    if (link === undefined) throw tooManyUnknownLinks();
    if (link.status === 'none') throw notFound('checkout link', linkId);
    this.learn(linkId);
    return link;
  }

  private async load(linkId: string): Promise<CheckoutLink> {
    return (await this.commands.load(checkoutLinkAggregate, linkId)).state;
  }
}

function tooManyUnknownLinks(): ApiError {
  return new ApiError('RESOURCE_EXHAUSTED', {
    reason: 'TOO_MANY_UNKNOWN_LINKS',
    message:
      'Too many checkout links that are not known here are asked for. Try again in a second.',
    retryAfterMs: RETRY_MS,
  });
}
