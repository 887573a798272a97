import type { Answer, ApiClient } from '../../support/api-client.js';
import { requireOk, seeing, tokenIn } from '../../support/scenario.js';
import type { Findings } from '../full-disk/findings.js';
import { type Behind, describeAnswer } from './behind.js';

/** The plan that all of them read and change. */
export interface Subject {
  readonly plans: string;
  readonly plan: string;
  /** The operator past all proxies. */
  readonly direct: ApiClient;
}

/** While nothing goes wrong, a proxy passes requests on unchanged. Any change is a finding. */
export async function checkCalm(behind: Behind, subject: Subject, findings: Findings) {
  const checks = { tags: checkTags, list: checkList, refusal: checkRefusal };
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

/** A refusal of ours comes as it is. */
async function checkRefusal({ operator }: Behind, { plan, direct }: Subject) {
  const seen = seeing('no token');
  const own = describeAnswer(await direct.get(plan, seen));
  const through = describeAnswer(await operator.get(plan, seen));
  return through === own ? undefined : `${own} became ${through}`;
}

/** While the projector stands still, a read that waits is a 503 of ours, and comes as it is. */
export async function checkOwnUnavailable(
  all: readonly Behind[],
  { plans, plan, direct }: Subject,
  findings: Findings,
) {
  const written = await rename(direct, plan, 'not projected', readTag(await direct.get(plan)));
  const callers = [{ name: 'direct', operator: direct }, ...all];
  const [own = '', ...through] = await Promise.all(
    callers.map(async ({ operator }) =>
      describeAnswer(await operator.get(plans, waitingFor(written))),
    ),
  );
  if (!own.startsWith('503, code 14')) findings.add('direct: a read does not wait', own);
  for (const [n, seen] of through.entries()) {
    if (seen !== own) findings.add(`${all[n]?.name}: changes our 503`, `${own} became ${seen}`);
  }
}

async function rename(operator: ApiClient, plan: string, name: string, tag: string) {
  const headers = { 'if-match': tag };
  return requireOk(await operator.send('PATCH', plan, { body: { name }, headers }));
}

function waitingFor(written: Answer) {
  return { headers: { 'x-consistency-token': tokenIn(written) } };
}

/** The tag of an answer, as a client gets it. */
function readTag(answer: Answer): string {
  return requireOk(answer).headers.get('etag') ?? '';
}
