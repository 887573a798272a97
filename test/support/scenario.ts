import type { ApiClient, Answer } from './api-client.js';
import { eventually } from './eventually.js';

/** Steps that many scenarios share. Each fails loudly when it is refused. */

/** Creates a monthly plan at 9.99 USD, or as asked. @returns its id. */
export async function createPlan(
  operator: ApiClient,
  appId: string,
  plan: Readonly<Record<string, unknown>> & { readonly code: string },
): Promise<string> {
  const created = await operator.post(`/manage/apps/${appId}/plans`, {
    name: `Plan ${plan.code}`,
    billingPeriodValue: '1',
    billingPeriodUnit: 'month',
    prices: [{ currency: 'USD', amountCents: '999' }],
    ...plan,
  });
  return String(requireOk(created).body['id']);
}

/** Makes a checkout link. @returns its id and its address. */
export async function checkoutLink(
  backend: ApiClient,
  { plan, player, ...more }: { plan: string; player: string } & Readonly<Record<string, unknown>>,
): Promise<{ id: string; url: string }> {
  const link = await backend.post('/sdk/subscriptions/checkout-links', {
    plan: { code: plan },
    currency: 'USD',
    user: { id: player },
    ...more,
  });
  const { id, url } = requireOk(link).body;
  return { id: String(id), url: String(url) };
}

/** Buys a plan for a player, as the checkout page does. Every later read shows the purchase. */
export async function buy(
  backend: ApiClient,
  {
    plan,
    player,
    paymentMethod = 'pm_ok',
    regionCode,
  }: { plan: string; player: string; paymentMethod?: string; regionCode?: string },
): Promise<{ subscriptionId: string; token: string; linkId: string }> {
  const { id: linkId } = await checkoutLink(backend, {
    ...{ plan, player },
    ...(regionCode !== undefined && { regionCode }),
  });
  const completed = requireOk(
    await backend.post(`/checkout/${linkId}/complete`, { paymentMethod }),
  );
  const subscriptionId = String(completed.body['subscriptionId']);
  const token = tokenIn(completed);
  await untilRead(backend, `/sdk/subscriptions/${subscriptionId}`, token);
  return { subscriptionId, token, linkId };
}

/** A player's access token. */
export async function issuePlayerToken(backend: ApiClient, player: string): Promise<string> {
  const issued = await backend.post('/sdk/server/access-tokens', { externalAccountId: player });
  return String(requireOk(issued).body['accessToken']);
}

/** Lets the demo app's clock go to an instant. @returns the consistency token of the answer. */
export async function advanceTo(operator: ApiClient, appId: string, to: string): Promise<string> {
  const advanced = await operator.post(`/manage/apps/${appId}/test-clock/advance`, { to });
  return tokenIn(requireOk(advanced));
}

/** So much later than an app's clock is now. */
export async function later(operator: ApiClient, appId: string, ms: number): Promise<string> {
  const clock = requireOk(await operator.get(`/manage/apps/${appId}/test-clock`));
  return new Date(Date.parse(String(clock.body['now'])) + ms).toISOString();
}

/** Lets so much of an app's time pass. @returns the consistency token of the answer. */
export async function passTime(operator: ApiClient, appId: string, ms: number): Promise<string> {
  return advanceTo(operator, appId, await later(operator, appId, ms));
}

/** Makes a payment link for these items. @returns its id and its address. */
export async function paymentLink(
  backend: ApiClient,
  {
    player,
    items,
    ...more
  }: { player: string; items: readonly object[] } & Readonly<Record<string, unknown>>,
): Promise<{ id: string; url: string }> {
  const order = { items, currency: 'USD', user: { id: player }, ...more };
  const { id, url } = requireOk(await backend.post('/sdk/server/checkout-links', order)).body;
  return { id: String(id), url: String(url) };
}

/** The token with which a read sees the write of this answer. */
export function tokenIn(answer: Answer): string {
  return answer.headers.get('x-consistency-token') ?? '';
}

/** Of a read that shows the write of this answer, or of this token. */
export function seeing(write: Answer | string): { headers: Record<string, string> } {
  const token = typeof write === 'string' ? write : tokenIn(write);
  return { headers: { 'x-consistency-token': token } };
}

/** Waits until the read models show a token's position: reads without one may be behind. */
async function untilRead(backend: ApiClient, path: string, token: string): Promise<void> {
  const isShown = async () => (await backend.get(path, seeing(token))).status === 200;
  await eventually(isShown, { what: `a read of ${path}` });
}

/** The answer. @throws Error with its body for any status but 200. */
export function requireOk(answer: Answer): Answer {
  if (answer.status === 200) return answer;
  throw new Error(`refused with ${answer.status}: ${answer.text}`);
}
