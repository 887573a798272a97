import { beforeAll, describe, expect, it } from 'vitest';
import { type AppEvent, type CreatedApp, evolveApp, noApp } from '#domain/app';
import { createSeal } from '#platform';
import { createAppSecrets, type SecretPurpose } from './app-secrets.js';

const NOW = '2026-01-31T10:00:00.000Z';
const UNOPENABLE = expect.objectContaining({ code: 'undecodable', retryable: false });

const seal = createSeal(Buffer.alloc(32, 7));
/** One process opens the secrets of all apps, and remembers them. */
const secrets = createAppSecrets(seal);

let victim: CreatedApp;
let thief: CreatedApp;
beforeAll(async () => {
  victim = await createApp('app_victim');
  thief = await createApp('app_thief');
  // Keys that the victim's own requests have opened are in memory.
  secrets.ingressKeys(victim, NOW);
  secrets.apiKey(victim);
  secrets.open(victim.appId, 'token key', victim.sealedTokenKey);
});

describe("an app's secrets", () => {
  it('open for the app that they were made for', () => {
    expect(secrets.ingressKeys(victim, NOW)).toHaveLength(1);
    expect(Buffer.from(secrets.apiKey(victim), 'base64').toString()).toMatch(/^app_victim:/);
    const { shown, sealed } = secrets.create('app_victim', 'webhook secret');
    expect(secrets.open('app_victim', 'webhook secret', sealed)).toBe(shown);
  });

  it('that sign webhooks are those that are valid, newest first', () => {
    const make = () => secrets.create('app_victim', 'webhook secret');
    const [newest, former, gone] = [make(), make(), make()];
    const endpoint = (appId: string) => ({
      appId,
      secrets: [
        { sealed: newest.sealed, useFrom: '', expiresAt: null },
        { sealed: former.sealed, useFrom: '', expiresAt: '2026-01-31T10:00:00.001Z' },
        { sealed: gone.sealed, useFrom: '', expiresAt: NOW },
      ],
    });
    const valid = secrets.webhookSecrets(endpoint('app_victim'), NOW);
    expect(valid).toEqual([newest.shown, former.shown]);
    expect(() => secrets.webhookSecrets(endpoint('app_thief'), NOW)).toThrow(UNOPENABLE);
    const opened = endpoint('app_victim');
    for (let n = 0; n < 2; n += 1) expect(secrets.webhookSecrets(opened, NOW)).toEqual(valid);
    const copied = { ...opened, appId: 'app_thief' };
    expect(() => secrets.webhookSecrets(copied, NOW)).toThrow(UNOPENABLE);
  });

  it('open nothing when they are copied to another app', () => {
    const ingress = { ...thief, ingressSecrets: victim.ingressSecrets };
    expect(() => secrets.ingressKeys(ingress, NOW)).toThrow(UNOPENABLE);
    const key = { ...thief, sealedApiKey: victim.sealedApiKey };
    expect(() => secrets.apiKey(key)).toThrow(UNOPENABLE);
    expect(() => secrets.open(thief.appId, 'token key', victim.sealedTokenKey)).toThrow(UNOPENABLE);
  });

  it('open nothing for another purpose of the same app', () => {
    const purposes: SecretPurpose[] = ['ingress secret', 'API key', 'token key', 'webhook secret'];
    for (const made of purposes) {
      const { sealed } = secrets.create(victim.appId, made);
      secrets.open(victim.appId, made, sealed);
      for (const asked of purposes.filter((purpose) => purpose !== made)) {
        expect(() => secrets.open(victim.appId, asked, sealed)).toThrow(UNOPENABLE);
      }
    }
  });

  it('of one app that cannot be opened are no trouble to others', () => {
    const spoiled = { ...thief, ingressSecrets: victim.ingressSecrets };
    expect(() => secrets.ingressKeys(spoiled, NOW)).toThrow(UNOPENABLE);
    expect(secrets.ingressKeys(victim, NOW)).toHaveLength(1);
    expect(secrets.ingressKeys(thief, NOW)).toHaveLength(1);
  });
});

async function createApp(appId: string): Promise<CreatedApp> {
  const { sealed } = await secrets.createFor(appId);
  const data = { appId, name: 'x', environment: 'test' as const, createdAt: NOW, ...sealed };
  const created: AppEvent = { type: 'app.created.v1', data };
  // An app that was created is a created one.
  return evolveApp(noApp, created) as CreatedApp;
}
