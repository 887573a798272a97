import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { type AppCommand, appAggregate } from './app.decide.js';
import type { AppEvent } from './app.events.js';
import { createdApp } from './spec-support/apps.js';

const { decider } = appAggregate;

/** To which gateway an app is set (rules/stripe 8). */
const created = (environment: 'test' | 'production'): AppEvent => ({
  ...createdApp,
  data: { ...createdApp.data, environment },
});
const keys = { sealedSecretKey: 'sealed-stripe-key', sealedWebhookSecret: 'sealed-webhook' };
const stripe = { kind: 'stripe', secretKeyEnding: 'Zx9q', ...keys } as const;
const set = (isLive = false, other: Partial<typeof keys> = {}, areKept = false): AppCommand => ({
  kind: 'ConfigureApp',
  gateway: { ...stripe, ...other, isLive, areKept },
});
const configured = (data: Extract<AppEvent, { type: 'app.gateway_configured.v1' }>['data']) =>
  ({ type: 'app.gateway_configured.v1', data }) as const;

describe('the gateway of an app', () => {
  it('is the sandbox, until it is set to Stripe, which again is no change', () => {
    const test = given(decider, created('test'));
    expect(test.state).toMatchObject({ gateway: { kind: 'sandbox' }, stripeKeys: null });
    expect(test.when({ kind: 'ConfigureApp', gateway: { kind: 'sandbox' } })).toEqual([]);
    expect(test.when(set())).toEqual([configured(stripe)]);
    const after = given(decider, created('test'), configured(stripe));
    expect(after.state).toMatchObject({
      gateway: { kind: 'stripe', secretKeyEnding: 'Zx9q' },
      stripeKeys: keys,
    });
    expect(after.when(set(false, keys, true))).toEqual([]);
    const newer = { sealedSecretKey: 'sealed-newer' };
    expect(after.when(set(false, newer))).toEqual([configured({ ...stripe, ...newer })]);
  });

  it('takes keys of the mode of its environment alone', () => {
    expect(given(decider, created('test')).when(set(true))).toBe('app/key_of_other_mode');
    expect(given(decider, created('production')).when(set(false))).toBe('app/key_of_other_mode');
    expect(given(decider, created('production')).when(set(true))).toHaveLength(1);
  });

  it('keeps its keys when it goes back to the sandbox: Stripe took payments by them', () => {
    const back = configured({ kind: 'sandbox' });
    const after = given(decider, created('test'), configured(stripe));
    expect(after.when({ kind: 'ConfigureApp', gateway: { kind: 'sandbox' } })).toEqual([back]);
    const { state, when } = given(decider, created('test'), configured(stripe), back);
    expect(state).toMatchObject({ gateway: { kind: 'sandbox' }, stripeKeys: keys });
    expect(when(set())).toEqual([configured(stripe)]);
  });

  it('keeps its own seals of the same keys, which may have been sealed anew meanwhile', () => {
    const anew = { sealedSecretKey: 'anew-key', sealedWebhookSecret: 'anew-webhook' };
    const resealed = { type: 'app.stripe_keys_resealed.v1', data: anew } as const;
    const history = [created('test'), configured(stripe), resealed];
    expect(given(decider, ...history).when(set(false, keys, true))).toEqual([]);
    const back = given(decider, ...history, configured({ kind: 'sandbox' }));
    expect(back.when(set(false, keys, true))).toEqual([configured({ ...stripe, ...anew })]);
  });

  it('has the same keys sealed anew, alone and with the secrets of the app', () => {
    const history = [created('test'), configured(stripe)];
    const reseal = (...sealed: [string, string][]): AppCommand => ({
      kind: 'ResealSecrets',
      resealed: new Map(sealed),
    });
    const events = given(decider, ...history).when(reseal(['sealed-stripe-key', 'anew-key']));
    const anew = { sealedSecretKey: 'anew-key', sealedWebhookSecret: 'sealed-webhook' };
    expect(events).toEqual([{ type: 'app.stripe_keys_resealed.v1', data: anew }]);
    const after = given(decider, ...history, ...(events as AppEvent[]));
    expect(after.state).toMatchObject({ gateway: { kind: 'stripe' }, stripeKeys: anew });
    expect(after.when(reseal(['sealed-stripe-key', 'anew-key']))).toEqual([]);
    const both = after.when(reseal(['sealed-1', 'anew-1'], ['sealed-webhook', 'anew-webhook']));
    expect((both as AppEvent[]).map(({ type }) => type)).toEqual([
      'app.secrets_resealed.v1',
      'app.stripe_keys_resealed.v1',
    ]);
  });
});
