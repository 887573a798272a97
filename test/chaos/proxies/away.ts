import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, ApiClient } from '../../support/api-client.js';
import { requireOk } from '../../support/scenario.js';
import type { Findings } from '../full-disk/findings.js';
import { type Behind, describeAnswer } from './behind.js';
import type { Subject } from './calm.js';

/** A proxy remembers a server that was away no longer than this. */
const WORKS_WITHIN_MS = 2_000;
const GIVE_UP_MS = 90_000;
const PAUSE_MS = 50;
const NOTHING = 'nothing, and ends the connection';

/** Creates a plan with a key. */
export async function createKeyed(operator: ApiClient, { plans }: Subject, code: string) {
  const prices = [{ currency: 'USD', amountCents: '999' }];
  const body = { code, name: code, billingPeriodValue: '1', billingPeriodUnit: 'month', prices };
  return operator.post(plans, body, { 'idempotency-key': `create ${code}` });
}

/**
 * Looks at a proxy's answer in our place.
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

/** Sends until we answer. @returns the answer, and when it came; undefined past the limit. */
async function untilServed(name: string, send: () => Promise<Answer>, findings: Findings) {
  const since = performance.now();
  let last = NOTHING;
  while (performance.now() - since < GIVE_UP_MS) {
    const answer = await send().catch(() => undefined);
    if (answer?.status === 200) return { answer, atMs: performance.now() };
    if (answer !== undefined) last = describeAnswer(answer);
    await sleep(PAUSE_MS);
  }
  findings.add(`${name}: did not come back`, last);
  return undefined;
}

/**
 * Calls without a pause while we start, through each proxy and past all of them: one that remembers how we were away is late.
 *
 * @returns how long each took from the first answer past all of them to its own.
 */
export async function checkBack(
  all: readonly Behind[],
  { plan, direct }: Subject,
  findings: Findings,
): Promise<readonly number[]> {
  const callers = [{ name: 'direct', operator: direct }, ...all];
  const calls = callers.map(async ({ name, operator }) =>
    untilServed(name, () => operator.get(plan), findings),
  );
  const [firstMs = NaN, ...served] = (await Promise.all(calls)).map((each) => each?.atMs);
  return served.map((atMs, n) => {
    const tookMs = Math.max(0, Math.round((atMs ?? Infinity) - firstMs));
    if (!(tookMs <= WORKS_WITHIN_MS)) {
      findings.add(`${all[n]?.name}: came back late`, `${tookMs} ms`);
    }
    return tookMs;
  });
}

/** The same command again, until it is served: it is done once. */
export async function checkDoneOnce(
  behind: Behind,
  subject: Subject,
  code: string,
  findings: Findings,
) {
  const send = () => createKeyed(behind.operator, subject, code);
  const served = await untilServed(behind.name, send, findings);
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
