import { appAggregate } from '#domain/app';
import { createCommandExecutor } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSeal, newAppId, wallClock } from '#platform';
import { createAppSecrets } from '#tenancy';

/** Creates an app as the standalone creates its own. */
export async function createTenant(
  eventStoreUrl: string,
  masterKey: Buffer,
): Promise<{ readonly appId: string }> {
  const store = connectEventStore(eventStoreUrl);
  try {
    await store.namespaces.open(1);
    const seal = createSeal(masterKey);
    const now = wallClock.now();
    const appId = newAppId(now);
    const { sealed } = await createAppSecrets(seal).createFor(appId);
    const environment = 'production';
    const app = { appId, name: 'bench', environment, createdAt: now, ...sealed } as const;
    const commands = createCommandExecutor(store);
    await commands.execute(
      appAggregate,
      appId,
      { kind: 'CreateApp', app },
      { appId, environment, actor: 'bench', correlationId: appId, now },
    );
    return { appId };
  } finally {
    await store.dispose();
  }
}
