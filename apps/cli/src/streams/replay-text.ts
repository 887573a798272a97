import { type Causes, type CausingEvent, type Change, listFields } from '#causes';
import { table } from '../output.js';
import type { DocumentComparison } from './document-comparison.js';
import { describeEvent } from './replayable.js';
import { isTelling, sayChange, sayInstant, sayValue } from './state-words.js';
import type { RecordedEvent } from '#domain/event';

/** An event as people of finance read it: its time, its author, its causes, and the fields that it changed. */
export function printEvent(
  event: RecordedEvent,
  changes: readonly Change[],
  { causes, lostAt }: Causes,
): string {
  const { revision, type, metadata } = event;
  const { occurredAt, actor, commandId = null, $correlationId: correlationId } = metadata;
  const by = sayAuthor({ actor, commandId, correlationId });
  const words = describeEvent(event);
  const lines = [
    ...(words === undefined ? [] : [words]),
    ...causes.map((cause, at) => sayCause(cause, at === causes.length - 1)),
    ...(lostAt === undefined ? [] : [`because of event ${lostAt}, which was not found`]),
    ...(changes.length === 0 ? ['changes nothing'] : changes.filter(isTelling).map(sayChange)),
  ];
  const head = `${sayInstant(occurredAt)}  revision ${revision}  ${type}  by ${by}`;
  return [head, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** The last one is the command with which the way began: it shows its request. */
function sayCause(
  { type, revision, stream, occurredAt, ...by }: CausingEvent,
  isLast: boolean,
): string {
  const author = isLast ? sayAuthor(by) : by.actor;
  return `because of ${type}, revision ${revision} of ${stream}, ${sayInstant(occurredAt)}, by ${author}`;
}

function sayAuthor({
  actor,
  commandId,
  correlationId,
}: Pick<CausingEvent, 'actor' | 'commandId' | 'correlationId'>): string {
  const command = commandId === null ? '' : `, command ${commandId}`;
  return `${actor} (request ${correlationId}${command})`;
}

/** The last state, field by field, and beside it the document of a read model as it is now. */
export function printState(
  state: unknown,
  revision: number,
  beside: Pick<DocumentComparison, 'readModel' | 'shown'> | undefined,
): string {
  const said = (of: unknown) =>
    new Map(listFields(of).map(({ field, value }) => [field, sayValue(field, value)]));
  const folded = said(state);
  const head = ['FIELD', `AFTER REVISION ${revision}`];
  if (beside?.shown.kind !== 'found') return table(head, [...folded]);
  const { readModel, shown } = beside;
  const document = said(shown.state);
  const fields = new Set([...folded.keys(), ...document.keys()]);
  const rows = [...fields].map((field) => {
    return [field, folded.get(field) ?? '', document.get(field) ?? ''];
  });
  return table([...head, `IN ${readModel} NOW, REVISION ${shown.revision}`], rows);
}

/** One sentence about a read model, with a line for each field that differs. */
export function printVerdict(comparison: DocumentComparison): string {
  const { readModel, shown } = comparison;
  const verdict = comparison.end();
  if (verdict.kind === 'uncompared') {
    return `The read model ${readModel} was not compared: ${verdict.why.replace(/\.$/, '')}.`;
  }
  const at = shown.kind === 'found' ? ` at revision ${shown.revision}` : '';
  const { differences } = verdict;
  if (differences.length === 0) return `The read model ${readModel}${at} is as the domain has it.`;
  const lines = differences.map(
    ({ field, domain, readModel: has }) =>
      `  ${field}: ${sayValue(field, domain)} by the domain, ${sayValue(field, has)} in the read model`,
  );
  return [`The read model ${readModel}${at} is not as the domain has it:`, ...lines].join('\n');
}

/** The document and the outcome of its comparison for programs. */
export function describeDocument(comparison: DocumentComparison) {
  const { readModel: name, shown } = comparison;
  const verdict = comparison.end();
  const { revision, state } = shown.kind === 'found' ? shown : { revision: null, state: null };
  const differences = verdict.kind === 'compared' ? verdict.differences : null;
  const why = verdict.kind === 'uncompared' ? verdict.why : null;
  return { name, revision, state, differences, why };
}
