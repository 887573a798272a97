import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Environment } from '#domain/event';
import { addUp, isChargeable, isMajor, MAX_AMOUNT_DIGITS, readMajor, zero } from '#domain/money';
import { countPieces, MAX_FREE_PIECES, type OrderItem } from '#domain/order';
import { checkTarget } from '#egress';
import {
  CommandContexts,
  type FieldViolation,
  FurtherChecks,
  invalidFields,
  type WellFormed,
} from '#nest';
import { metadataViolations, returnUrlViolations } from '../checkout-links/link-rules.js';
import type { CreatePaymentLinkBody, OrderItemBody } from './order.dto.js';

/** An order is one event, and each of its webhooks holds its items. */
const MAX_ITEMS_CHARACTERS = 100_000;

/** The items of an order whose body has nothing wrong with it. */
export function readItems({
  items,
  currency,
}: Pick<CreatePaymentLinkBody, 'items' | 'currency'>): readonly OrderItem[] {
  return items.map(({ id: itemId, name, description = '', image = '', quantity, price }) => ({
    ...{ itemId, name, description, image, quantity },
    price: readMajor(price, currency) ?? zero(currency),
  }));
}

/**
 * All errors that depend on several fields or on the app: prices with the currency's decimals, pictures, metadata, the
 * total, the page's way back (rules/orders 1).
 */
export function paymentLinkViolations(
  body: WellFormed<CreatePaymentLinkBody>,
  environment: Environment,
): FieldViolation[] {
  const { items = [], currency, metadata = {}, returnUrl } = body;
  const violations = metadataViolations(metadata);
  // The placeholder of an entry that was bad itself is skipped.
  items.forEach((item, index) => {
    violations.push(...itemViolations(item, `items.${index}`, { currency, environment }));
  });
  if (violations.length === 0 && isPriced(body)) violations.push(...totalViolations(body));
  return [...violations, ...returnUrlViolations(returnUrl, environment)];
}

function isPriced(body: WellFormed<CreatePaymentLinkBody>): body is CreatePaymentLinkBody {
  const { items, currency } = body;
  if (items === undefined || currency === undefined) return false;
  const isWhole = (item: WellFormed<OrderItemBody> | undefined) =>
    item?.price !== undefined && item.quantity !== undefined;
  return [...items].every(isWhole);
}

function itemViolations(
  { image, metadata = {}, price }: WellFormed<OrderItemBody>,
  field: string,
  read: { currency: string | undefined; environment: Environment },
): FieldViolation[] {
  const { currency, environment } = read;
  const violations = metadataViolations(metadata, `${field}.metadata`);
  const description = price === undefined ? undefined : explainPrice(price, currency);
  if (description !== undefined) violations.push({ field: `${field}.price`, description });
  const target =
    image === undefined ? undefined : checkTarget(image, { allowInsecure: environment === 'test' });
  if (target !== undefined && !target.ok) {
    violations.push({ field: `${field}.image`, description: target.reason });
  }
  return violations;
}

/** @returns the error of a price, also where its currency is bad itself; undefined where there is none. */
function explainPrice(price: string, currency: string | undefined): string | undefined {
  if (currency === undefined) {
    if (isMajor(price)) return undefined;
    return 'must be a decimal string such as "4.99", of at most 12 digits before the point';
  }
  if (readMajor(price, currency) !== undefined) return undefined;
  return `must be a decimal string such as "${exampleIn(currency)}", of at most 12 digits before the point and no more decimals than ${currency} has`;
}

/** The errors of the items as a whole. */
function totalViolations(body: CreatePaymentLinkBody): FieldViolation[] {
  const { items: sent, currency } = body;
  const items = readItems(body);
  const total = addUp(items, currency);
  const isFree = total.amountMinor === '0';
  const description = !isChargeable(total)
    ? `must come to an amount of at most ${MAX_AMOUNT_DIGITS} digits of minor units`
    : isFree && countPieces(items) > MAX_FREE_PIECES
      ? `must hold at most ${MAX_FREE_PIECES} pieces where they cost nothing`
      : JSON.stringify(sent).length > MAX_ITEMS_CHARACTERS
        ? `must have at most ${MAX_ITEMS_CHARACTERS} characters as JSON`
        : undefined;
  return description === undefined ? [] : [{ field: 'items', description }];
}

function exampleIn(currency: string): string {
  const { amountMinor } = readMajor('1', currency) ?? zero(currency);
  const decimals = amountMinor.length - 1;
  return decimals === 0 ? '980' : `4.${'9'.repeat(decimals)}`;
}

/** The errors in an order beside its bad fields (rules/api 12). */
@Injectable()
export class PaymentLinkChecks extends FurtherChecks<CreatePaymentLinkBody> {
  constructor(private readonly contexts: CommandContexts) {
    super();
  }

  protected async check(
    body: WellFormed<CreatePaymentLinkBody>,
    request: FastifyRequest,
  ): Promise<void> {
    const { environment } = await this.contexts.ofRequest(request);
    throw invalidFields(paymentLinkViolations(body, environment));
  }
}
