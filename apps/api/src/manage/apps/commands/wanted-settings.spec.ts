import { describe, expect, it } from 'vitest';
import { appAggregate, type CreatedApp } from '#domain/app';
import { createCommandExecutor, type EventStore } from '#event-store';
import type { CommandContexts } from '#nest';
import { createSeal, fixedMasterKeys, type Seal } from '#platform';
import { createAppSecrets } from '#tenancy';
import { MemoryEventStore } from '../../../../../../test/support/memory-event-store.js';
import { WantedSettings } from './wanted-settings.js';

const appId = 'app_00000001';
const now = '2027-01-31T10:00:00.000Z';
const context = { appId, environment: 'test' as const, actor: 'o', correlationId: 'c', now };
const former = createSeal(fixedMasterKeys([Buffer.alloc(32, 1)]));
const both = createSeal(fixedMasterKeys([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]));
const keys = {
  kind: 'stripe' as const,
  secretKey: `sk_test_${'a'.repeat(24)}`,
  webhookSecret: `whsec_${'b'.repeat(24)}`,
};

/** Stripe's keys as an operator sets them, on a real app (rules/stripe 8). */
describe("an app's keys of Stripe", () => {
  it('are no change where they are the same, and count where one of them is another', async () => {
    const { set, load } = await begin();
    expect(await set(former)).toEqual(['app.gateway_configured.v1']);
    const { stripeKeys } = await load();
    expect(await set(former)).toEqual([]);
    expect((await load()).stripeKeys).toEqual(stripeKeys);
    for (const other of [{ secretKey: `${keys.secretKey}c` }, { webhookSecret: 'whsec_other' }]) {
      expect(await set(former, other)).toEqual(['app.gateway_configured.v1']);
    }
  });

  it('that do not open any more are replaced', async () => {
    const { set, load } = await begin();
    await set(former);
    // Their master key is gone.
    const present = createSeal(fixedMasterKeys([Buffer.alloc(32, 2)]));
    expect(await set(present)).toEqual(['app.gateway_configured.v1']);
    const { sealedSecretKey = '' } = (await load()).stripeKeys ?? {};
    expect(createAppSecrets(present).open(appId, 'Stripe secret key', sealedSecretKey)).toBe(
      keys.secretKey,
    );
  });

  it('that are sealed anew while they are set again stay under the present master key', async () => {
    const { set, load, reseal } = await begin();
    await set(former);
    expect(await set(both, {}, reseal)).toEqual([]);
    const { sealedSecretKey = '' } = (await load()).stripeKeys ?? {};
    expect(sealedSecretKey.split('.')[1]).toBe(both.keyIds()[0]);
  });
});

async function begin() {
  const commands = createCommandExecutor(
    new MemoryEventStore() as Partial<EventStore> as EventStore,
  );
  const { sealed } = await createAppSecrets(former).createFor(appId);
  const app = { ...sealed, appId, name: 'x', environment: 'test', createdAt: now } as const;
  await commands.execute(appAggregate, appId, { kind: 'CreateApp', app }, context);
  const load = async () => (await commands.load(appAggregate, appId)).state as CreatedApp;
  return {
    load,
    /** A rotation of the master key. */
    reseal: async () => {
      const { sealedSecretKey = '', sealedWebhookSecret = '' } = (await load()).stripeKeys ?? {};
      const named = [
        [sealedSecretKey, 'Stripe secret key'],
        [sealedWebhookSecret, 'Stripe webhook secret'],
      ] as const;
      const resealed = new Map(
        named.map(([kept, purpose]) => {
          const text = both.open(kept, { appId, purpose });
          return [kept, both.seal(text, { appId, purpose })];
        }),
      );
      await commands.execute(appAggregate, appId, { kind: 'ResealSecrets', resealed }, context);
    },
    /** @returns the events that it led to. */
    set: async (seal: Seal, other: Partial<typeof keys> = {}, meanwhile = async () => {}) => {
      const settings = { allowInsecureTargets: 'none', webhookPorts: [] } as const;
      const wanted = new WantedSettings(
        ...([{} as CommandContexts, commands, createAppSecrets(seal), settings] as const),
      );
      const gateway = await wanted.readGateway(appId, { ...keys, ...other });
      await meanwhile();
      const command = { kind: 'ConfigureApp', gateway } as const;
      const result = await commands.execute(appAggregate, appId, command, context);
      return result.accepted ? result.events.map(({ type }) => type) : result.rejection.code;
    },
  };
}
