import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { type AppCommand, appAggregate } from './app.decide.js';
import type { AppEvent } from './app.events.js';
import { createdApp as created } from './spec-support/apps.js';

const { decider } = appAggregate;

/** The address and key of an app's catalog (rules/catalog 1). */
const settings = {
  ...{ baseUrl: 'https://api.game.example', path: '/catalog' },
  ...{ apiKeyHeader: 'x-key', sealedApiKey: 'sealed-catalog-key' },
};
const configured = (data = settings): AppEvent => ({ type: 'app.catalog_configured.v1', data });
const set = (other: Partial<typeof settings> = {}, isKeyKept = false): AppCommand => ({
  kind: 'ConfigureApp',
  catalog: { ...settings, ...other, isKeyKept },
});
const resealed: AppEvent = {
  type: 'app.catalog_key_resealed.v1',
  data: { sealedApiKey: 'anew-key' },
};
const reseal: AppCommand = {
  kind: 'ResealSecrets',
  resealed: new Map([['sealed-catalog-key', 'anew-key']]),
};

describe('the catalog of an app', () => {
  it('is not there until it is set', () => {
    expect(given(decider, created).state).toMatchObject({ catalog: null });
    expect(given(decider, created).when(set())).toEqual([configured()]);
    expect(given(decider, created, configured()).state).toMatchObject({ catalog: settings });
  });

  it('set again is no change where nothing differs, and one where anything does', () => {
    const { when } = given(decider, created, configured());
    expect(when(set({ sealedApiKey: 'other-seal' }, true))).toEqual([]);
    const others = [
      { baseUrl: 'https://other.example' },
      { path: '/shop' },
      { apiKeyHeader: 'x-other' },
    ];
    for (const other of others) {
      expect(when(set(other, true))).toEqual([configured({ ...settings, ...other })]);
    }
    const newer = { sealedApiKey: 'other-key' };
    expect(when(set(newer))).toEqual([configured({ ...settings, ...newer })]);
  });

  it('keeps its own seal of the same key, which may have been sealed anew meanwhile', () => {
    const { when } = given(decider, created, configured(), resealed);
    expect(when(set({ path: '/shop', sealedApiKey: 'other-seal' }, true))).toEqual([
      configured({ ...settings, path: '/shop', sealedApiKey: 'anew-key' }),
    ]);
  });

  it('has its key sealed anew, unless it is another one by then', () => {
    expect(given(decider, created, configured()).when(reseal)).toEqual([resealed]);
    const after = given(decider, created, configured(), resealed);
    expect(after.state).toMatchObject({ catalog: { ...settings, sealedApiKey: 'anew-key' } });
    expect(after.when(reseal)).toEqual([]);
    expect(given(decider, created).when(reseal)).toEqual([]);
  });

  it('that is set together with a gateway that is refused is not set', () => {
    const gateway = {
      kind: 'stripe',
      secretKeyEnding: 'Zx9q',
      isLive: true,
      areKept: false,
    } as const;
    const keys = { sealedSecretKey: 'sealed-catalog-key', sealedWebhookSecret: 'sealed-webhook' };
    const command = { ...set(), gateway: { ...gateway, ...keys } } as AppCommand;
    expect(given(decider, created).when(command)).toBe('app/key_of_other_mode');
  });
});
