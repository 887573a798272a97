import type { Answer, ApiClient } from '../../support/api-client.js';
import { requireOk, tokenIn } from '../../support/scenario.js';
import type { Findings } from '../full-disk/findings.js';
import { type Behind, describeAnswer } from './behind.js';

/** The plan that all of them read and change. */
export interface Subject {
  readonly plans: string;
  readonly plan: string;
  /** The operator past all proxies. */
  readonly direct: ApiClient;
}

/** A position that no read model reaches, for an answer of ours that is 503. */
const NEVER = 'c1.99999999999999999999';

/** While nothing goes wrong, a proxy passes on what it is given. What it does otherwise is a finding. */
export async function checkCalm(behind: Behind, subject: Subject, findings: Findings) {
  const checks = { tags: checkTags, list: checkList, refusals: checkRefusals };
  for (const [name, check] of Object.entries(checks)) {
    try {
      const wrong = await check(behind, subject);
      if (wrong !== undefined) findings.add(`${behind.name}: ${name}`, wrong);
    } catch (error) {
      findings.add(`${behind.name}: ${name}`, String(error));
    }
  }
}

/** Read, change with the tag as it came, read. A Bearer token that a proxy takes out is 401 here. */
async function checkTags({ name, operator }: Behind, { plan, direct }: Subject) {
  const tag = readTag(await operator.get(plan));
  const own = readTag(await direct.get(plan));
  if (tag !== own) return `${own} became ${tag}`;
  const changed = await rename(operator, plan, `${name} changed`, tag);
  const read = requireOk(await operator.get(plan, waitingFor(changed)));
  if (read.body['name'] !== `${name} changed`) return `a read after the change shows ${read.text}`;
  if (readTag(read) !== readTag(changed)) return `the read after it has ${readTag(read)}`;
  const late = await operator.send('PATCH', plan, {
    body: { name: 'late' },
    headers: { 'if-match': tag },
  });
  return late.status === 412 ? undefined : `the tag of before: ${describeAnswer(late)}`;
}

/** No cache: a list that was read twice shows a change at once. */
async function checkList({ name, operator }: Behind, { plans, plan }: Subject) {
  for (let times = 0; times < 2; times += 1) requireOk(await operator.get(plans));
  const tag = readTag(await operator.get(plan));
  const changed = await rename(operator, plan, `${name} listed`, tag);
  const list = requireOk(await operator.get(plans, waitingFor(changed)));
  if (!list.text.includes(`"${name} listed"`)) return `the list shows ${list.text}`;
  const again = requireOk(await operator.get(plans));
  return again.text === list.text ? undefined : `the next one shows ${again.text}`;
}

/** A refusal of ours, and a 503 of ours, come as they are. */
async function checkRefusals({ operator }: Behind, { plan, direct }: Subject) {
  for (const headers of [{ 'if-none-match': 'x', 'x-consistency-token': 'bad' }, WAITS]) {
    const [through, own] = await Promise.all(
      [operator, direct].map(async (client) => describeAnswer(await client.get(plan, { headers }))),
    );
    if (through !== own) return `${own} became ${through}`;
  }
  return undefined;
}

const WAITS = { 'x-consistency-token': NEVER };

async function rename(operator: ApiClient, plan: string, name: string, tag: string) {
  const headers = { 'if-match': tag };
  return requireOk(await operator.send('PATCH', plan, { body: { name }, headers }));
}

function waitingFor(written: Answer) {
  return { headers: { 'x-consistency-token': tokenIn(written) } };
}

/** The tag of an answer, as a client gets it. */
export function readTag(answer: Answer): string {
  return requireOk(answer).headers.get('etag') ?? '';
}
