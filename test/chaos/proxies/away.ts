import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, ApiClient } from '../../support/api-client.js';
import { requireOk } from '../../support/scenario.js';
import type { Findings } from '../full-disk/findings.js';
import { type Behind, describeAnswer } from './behind.js';
import type { Subject } from './calm.js';

/** A proxy remembers a server that was away no longer than this. */
const WORKS_WITHIN_MS = 2_000;
const GIVE_UP_MS = 20_000;
const PAUSE_MS = 50;
const NOTHING = 'nothing, and ends the connection';

/** Creates a plan with a key. */
export async function createKeyed(operator: ApiClient, { plans }: Subject, code: string) {
  const prices = [{ currency: 'USD', amountCents: '999' }];
  const body = { code, name: code, billingPeriodValue: '1', billingPeriodUnit: 'month', prices };
  return operator.post(plans, body, { 'idempotency-key': `create ${code}` });
}

/**
 * Looks at what a proxy answers in our place.
 *
 * @returns it in words.
 */
export async function checkAway(
  { name, givesJson }: Behind,
  send: () => Promise<Answer>,
  { mayEndConnection, findings }: { mayEndConnection: boolean; findings: Findings },
): Promise<string> {
  const answer = await send().catch(() => undefined);
  if (answer === undefined) {
    if (!mayEndConnection) findings.add(`${name}: gives no answer while we are away`, NOTHING);
    return NOTHING;
  }
  const { status, headers, body } = answer;
  const isRight = givesJson
    ? [502, 503].includes(status) && body['code'] === 14 && headers.get('retry-after') === '1'
    : status >= 500;
  const seen = describeAnswer(answer);
  if (!isRight) findings.add(`${name}: answers otherwise while we are away`, seen);
  return seen;
}

/** Sends until we answer through the proxy. @returns the answer, and how long that took; undefined past the limit. */
async function untilServed({ name }: Behind, send: () => Promise<Answer>, findings: Findings) {
  const since = performance.now();
  let last = NOTHING;
  while (performance.now() - since < GIVE_UP_MS) {
    const answer = await send().catch(() => undefined);
    if (answer?.status === 200) return { answer, tookMs: Math.round(performance.now() - since) };
    if (answer !== undefined) last = describeAnswer(answer);
    await sleep(PAUSE_MS);
  }
  findings.add(`${name}: did not come back`, last);
  return undefined;
}

/** After a restart, the next call works soon. @returns how soon. */
export async function checkBack(behind: Behind, { plan }: Subject, findings: Findings) {
  const served = await untilServed(behind, () => behind.operator.get(plan), findings);
  const tookMs = served?.tookMs ?? Infinity;
  if (tookMs > WORKS_WITHIN_MS) findings.add(`${behind.name}: came back late`, `${tookMs} ms`);
  return tookMs;
}

/** The same command again, until it is served: it is done once. */
export async function checkDoneOnce(
  behind: Behind,
  subject: Subject,
  code: string,
  findings: Findings,
) {
  const send = () => createKeyed(behind.operator, subject, code);
  const served = await untilServed(behind, send, findings);
  if (served === undefined) return;
  const again = requireOk(await send());
  const isReplayed = again.headers.get('idempotency-replayed') === 'true';
  if (!isReplayed || again.text !== served.answer.text) {
    findings.add(
      `${behind.name}: a command was done twice`,
      `${served.answer.text}\n${again.text}`,
    );
  }
}
