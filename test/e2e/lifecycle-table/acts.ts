import { expect } from 'vitest';
import type { Answer } from '../../support/api-client.js';
import { refusal } from '../../support/errors.js';
import { eventually } from '../../support/eventually.js';
import type { Ledger } from '../../support/fixture.js';
import { requireOk } from '../../support/scenario.js';

/** The ledger and app in which the lives of the table are led. */
export interface Stage extends Pick<Ledger, 'appId' | 'backend' | 'operator'> {
  /** By their codes. */
  readonly planIds: ReadonlyMap<string, string>;
}

/** Something that is done to a subscription at its path. */
export type Act = (path: string, stage: Stage) => Promise<unknown>;

export const DAY_MS = 86_400_000;
const EXPIRED = [400, 9, 'SUBSCRIPTION_EXPIRED'];

const change = (body: object, path: string, { backend }: Stage) =>
  backend.post(`${path}/change-checkout-links`, body);

/** A wish for another plan. */
export const to = (code: string, more = {}) => ({ plan: { code }, ...more });

export const priced = (amountCents: string) => [{ currency: 'USD', amountCents }];

/** Makes a link for a change, and pays on its page. */
export const agree =
  (body: object, paymentMethod = 'pm_ok') =>
  async (path: string, stage: Stage): Promise<Answer> => {
    const { id } = requireOk(await change(body, path, stage)).body;
    return stage.backend.post(`/checkout/${String(id)}/complete`, { paymentMethod });
  };

export const paid =
  (body: object, method?: string): Act =>
  async (path, stage) =>
    void requireOk(await agree(body, method)(path, stage));

/** The bank wants a confirmation; other steps come first, and then the player confirms after all. */
export const confirmedAfter =
  (body: object, meanwhile: Act): Act =>
  async (path, stage) => {
    const asked = await agree(body, 'pm_authentication_required')(path, stage);
    expect([asked.status, asked.body['status']]).toEqual([202, 'challenge']);
    await meanwhile(path, stage);
    const decision = new URLSearchParams({ decision: 'accept' });
    const form = { method: 'POST', body: decision, redirect: 'manual' } as const;
    await fetch(String(asked.body['challengeUrl']), form);
  };

export const cancel =
  (atPeriodEnd?: boolean): Act =>
  async (path, { backend }) => {
    const body = atPeriodEnd === undefined ? {} : { cancel_at_period_end: atPeriodEnd };
    requireOk(await backend.post(`${path}/cancel`, body));
  };

export const reactivate: Act = async (path, { backend }) =>
  requireOk(await backend.post(`${path}/reactivate`, {}));

export const inTurn =
  (...acts: readonly Act[]): Act =>
  async (path, stage) => {
    for (const act of acts) await act(path, stage);
  };

/** No change is to be had, of whatever kind. */
export const noChange =
  (reason: readonly unknown[]): Act =>
  async (path, stage) => {
    for (const body of [{}, to('dear'), to('cheap'), to('dear', { preview: true })]) {
      expect(refusal(await change(body, path, stage))).toEqual(reason);
    }
  };

export const nothingMore: Act = async (path, { backend }) => {
  for (const call of ['cancel', 'reactivate']) {
    expect(refusal(await backend.post(`${path}/${call}`, {}))).toEqual(EXPIRED);
  }
};

/** A cheaper plan begins when so many days have passed since the purchase. */
export const waits =
  (days: number): Act =>
  async (path, stage) => {
    const { body } = await stage.backend.get(path);
    const { effectiveAt } = requireOk(await change(to('cheap'), path, stage)).body;
    const since = Date.parse(String(effectiveAt)) - Date.parse(String(body['created_at']));
    expect(Math.round(since / DAY_MS)).toBe(days);
  };

/** Its newest payment has cost so much. */
export const cost =
  (amountCents: string): Act =>
  async (path, { backend }) => {
    const { body } = requireOk(await backend.get(`${path}/payments`));
    expect(body['payments']).toMatchObject([{ amountCents }, {}]);
  };

/** A plan has another price from now on. */
export const reprice =
  (code: string, amountCents: string): Act =>
  async (_, { appId, operator, planIds }) => {
    const path = `/manage/apps/${appId}/plans/${planIds.get(code)}`;
    requireOk(await operator.send('PATCH', path, { body: { prices: priced(amountCents) } }));
  };

/** A plan is for sale no more. */
export const close =
  (code: string, call: 'archive' | 'deprecate'): Act =>
  async (_, { appId, backend, operator, planIds }) => {
    requireOk(await operator.post(`/manage/apps/${appId}/plans/${planIds.get(code)}/${call}`, {}));
    const link = { ...to(code), currency: 'USD', user: { id: 'late' } };
    const isRefused = async () => {
      const asked = await backend.post('/sdk/subscriptions/checkout-links', link);
      return asked.status === 400 && refusal(asked)[2] === 'PLAN_NOT_AVAILABLE';
    };
    await eventually(isRefused, { what: `the refusal of ${code}` });
  };
