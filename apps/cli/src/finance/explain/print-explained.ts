import { entryId, type JournalRow } from '#domain/bookkeeping';
import { money } from '#domain/money';
import type {
  ExplainedCharge,
  ExplainedEntry,
  ExplainedEvent,
  ExplainedFigure,
  ExplainedLine,
  ExplainedPayment,
} from '#finance';
import { sayMoney } from '#representations';
import { table } from '../../output.js';

type Field = readonly [name: string, value: string];

/** An explained entry for people: a field a line. */
export function printEntry({ row, because, recognition, line, event }: ExplainedEntry): string {
  const period = row.late ? `${row.period}, late` : row.period;
  const fields: Field[] = [
    ['entry', entryId(row)],
    ['amount', `${row.side} ${sayMinor(row.amountMinor, row.currency)} on ${row.account}`],
    ['booked', `leaf ${row.leaf}, ${row.bookedAt}, in ${period}`],
    ['effective', row.effectiveOn],
    ['rule', `${row.rule}: ${because}`],
    ...(recognition === null ? [] : listRecognition(recognition)),
    ...(line === null ? [] : listLine(line, row.currency)),
    ...listEvent(event, row),
  ];
  return printFields(fields);
}

/** An explained payment for people: its lines, then each event with its entries. */
export function printPayment(explained: ExplainedPayment): string {
  const { payment, status, amount, lines, postings } = explained;
  const head: Field[] = [
    ['payment', `${payment}, ${status}`],
    ['amount', sayMoney(amount)],
    ...lines.flatMap((line) => listLine(line, amount.currency)),
  ];
  const parts = postings.map(({ because, rows, event }) => {
    const [first] = rows;
    const cells = rows.map((row) => [
      ...[entryId(row), row.effectiveOn, row.period, row.account],
      ...[row.side, sayMinor(row.amountMinor, row.currency)],
    ]);
    const titles = ['ENTRY', 'EFFECTIVE', 'PERIOD', 'ACCOUNT', 'SIDE', 'AMOUNT'];
    const about = first === undefined ? [] : listEvent(event, first);
    return `${printFields([...about, ['rule', because]])}\n${table(titles, cells)}`;
  });
  return [printFields(head), ...parts].join('\n\n');
}

/** The figures of an account for people. */
export function printFigure(figure: ExplainedFigure): string {
  const { account, period, balances, rules, entries, others } = figure;
  const sums = balances.map((row) => {
    const currency = String(row['currency']);
    const of = (name: string) => sayMinor(BigInt(row[`${name}_minor`] ?? 0), currency);
    return [currency, of('opening'), of('debit'), of('credit'), of('closing')];
  });
  const groups = rules.map(({ currency, rule, because, ...group }) => [
    ...[rule, String(group.entries), sayMinor(group.debitMinor, currency)],
    ...[sayMinor(group.creditMinor, currency), because],
  ]);
  const largest = entries.map((row) => [
    ...[entryId(row), row.effectiveOn, row.side, sayMinor(row.amountMinor, row.currency)],
    row.payment,
  ]);
  return [
    `${account} in ${period}; debits are above zero`,
    table(['CURRENCY', 'OPENING', 'DEBIT', 'CREDIT', 'CLOSING'], sums),
    table(['RULE', 'ENTRIES', 'DEBIT', 'CREDIT', 'BECAUSE'], groups),
    table(['ENTRY', 'EFFECTIVE', 'SIDE', 'AMOUNT', 'PAYMENT'], largest),
    others === 0 ? 'Each entry can be explained by its id.' : sayOthers(others, period),
  ].join('\n\n');
}

/** A next charge for people. */
export function printCharge({ subscription, status, why, next }: ExplainedCharge): string {
  const head: Field = ['subscription', `${subscription}, ${status}`];
  if (next === null) return printFields([head, ['next charge', `none: ${why}`]]);
  const { dueAt, period, amount, lines } = next;
  return printFields([
    head,
    ['next charge', `${sayMoney(amount)}, due ${dueAt}`],
    ['period', `number ${period.number}, ${period.start} up to ${period.end}`],
    ...lines.flatMap((line) => listLine(line, amount.currency)),
  ]);
}

function listRecognition({
  origin,
  entries,
  beforeMinor,
  untilMinor,
}: NonNullable<ExplainedEntry['recognition']>): Field[] {
  const say = (amount: bigint) => sayMinor(amount, origin.currency);
  const { coversFrom, coversUntil, amountMinor } = origin;
  return [
    ['schedule', `${say(amountMinor)} for ${coversFrom ?? ''} up to ${coversUntil ?? ''}`],
    ['earned', `${say(beforeMinor)} before the period, ${say(untilMinor)} by its end`],
    ['follows from', entries.join(', ')],
  ];
}

function listLine({ kind, because, ...line }: ExplainedLine, currency: string): Field[] {
  const covers = line.covers === null ? '' : `, ${line.covers.start} up to ${line.covers.end}`;
  const { price, tax, plan, item } = line;
  const named = plan === null ? '' : ` (${plan.code}, ${plan.name})`;
  const fields: Field[] = [
    ['line', `${kind} ${sayMinor(BigInt(line.amountCents), currency)}${covers}: ${because}`],
  ];
  if (price !== null) {
    const shown = sayMinor(BigInt(price.amountCents), currency);
    fields.push(['price', `${shown} of ${price.planId}${named}, since ${price.lockedAt}`]);
  }
  if (item !== undefined) {
    const shown = sayMinor(BigInt(item.amountCents), currency);
    fields.push(['item', `${item.quantity} of ${item.id} at ${shown}`]);
  }
  if (tax !== null) {
    const how = tax.inclusive ? 'in the price' : 'added to it';
    fields.push(['tax', `rate ${tax.rate} of version ${tax.ratesVersion}, ${how}`]);
  }
  return fields;
}

function listEvent(event: ExplainedEvent | null, { eventType, eventId }: JournalRow): Field[] {
  if (event === null) return [['event', `${eventType} ${eventId}: it was erased`]];
  const { stream, revision, occurredAt, actor, commandId, correlationId, proof } = event;
  const key = commandId === null ? '' : `, command ${commandId}`;
  return [
    ['event', `${event.type} ${event.id}, ${stream} at ${revision}, ${occurredAt}`],
    ['by', `${actor}, request ${correlationId}${key}`],
    ...event.causes.map((cause): Field => [
      'caused by',
      `${cause.type} of ${cause.stream}, by ${cause.actor}`,
    ]),
    ['proof', sayProof(proof, event)],
  ];
}

function sayProof(proof: ExplainedEvent['proof'], { id, stream }: ExplainedEvent): string {
  if (proof === null) return 'none: the event is not as it was sealed ("subledger seal verify")';
  return `leaf ${proof.leaf}: subledger seal prove ${id} --stream ${stream} --out FILE`;
}

function sayOthers(others: number, period: string): string {
  return `${others} more entries: "subledger finance journal --period ${period}" has all.`;
}

function sayMinor(amountMinor: bigint, currency: string): string {
  return sayMoney(money(amountMinor, currency));
}

function printFields(fields: readonly Field[]): string {
  return table(
    ['FIELD', 'VALUE'],
    fields.map(([name, value]) => [name, value]),
  );
}
