import { appAggregate } from '#domain/app';
import { type CommandExecutor, createCommandExecutor } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { deriveId } from '#domain/ids';
import { assertDefect, createSeal, type MasterKeys, type Seal, wallClock } from '#platform';
import { createAppSecrets, issueOperatorToken, MAX_OPERATOR_TOKEN_SECONDS } from '#tenancy';
import { StartRefused } from './data-dir.js';

/** The same in every data directory: it can't be created twice, whatever crashes when. */
const DEMO_APP_ID = deriveId('app', '1970-01-01T00:00:00.000Z', 'de', 'demo');

/** One process works on all of it. */
const PARTITIONS = 1;

/** The content of demo.json: the one place where secrets stand in the clear (rules/api 11). */
export interface DemoSecrets {
  readonly appId: string;
  readonly ingressSecret: string;
  readonly apiKey: string;
  readonly operatorToken: string;
}

/** Opens the ledger and creates the test app `demo` at the first start, and gives its secrets at every one. */
export async function openDemoApp(
  eventStoreUrl: string,
  masterKeys: MasterKeys,
): Promise<DemoSecrets> {
  const store = connectEventStore(eventStoreUrl);
  try {
    await store.namespaces.open(PARTITIONS);
    const commands = createCommandExecutor(store);
    const seal = createSeal(masterKeys);
    const secrets = createAppSecrets(seal);
    const now = wallClock.now();
    const appId = DEMO_APP_ID;
    let { state } = await commands.load(appAggregate, appId);
    if (state.status === 'none') {
      const { sealed } = await secrets.createFor(appId);
      const app = { appId, name: 'demo', environment: 'test', createdAt: now, ...sealed } as const;
      const context = {
        appId,
        environment: 'test',
        actor: 'standalone',
        correlationId: appId,
        now,
      } as const;
      const created = await commands.execute(
        appAggregate,
        appId,
        { kind: 'CreateApp', app },
        context,
      );
      assertDefect(created.accepted, 'creating an app is never rejected');
      ({ state } = created);
    }
    assertDefect(state.status === 'created', 'the demo app was created');
    const apiKey = openedKey(() => secrets.apiKey(state));
    return {
      appId,
      ingressSecret: secrets.ingressKeys(state, now)[0]?.toString('base64') ?? '',
      apiKey,
      operatorToken: await newToken(commands, seal, appId),
    };
  } finally {
    await store.dispose();
  }
}

/** For the demo app alone; the token of the start before is revoked with it (rules/operators 5). */
async function newToken(commands: CommandExecutor, seal: Seal, appId: string): Promise<string> {
  const result = await issueOperatorToken(commands, seal, {
    wanted: { name: 'demo', roles: ['admin'], apps: [appId], issuedBy: 'standalone' },
    lifetimeSeconds: MAX_OPERATOR_TOKEN_SECONDS,
    replacesFormer: true,
  });
  if (result.accepted) return result.token;
  throw new StartRefused(`The demo app's operator gets no token: ${result.rejection.code}.`);
}

/**
 * Secrets that were sealed with another key cannot be opened: the ledger would run and fail at
 * every one.
 */
function openedKey(open: () => string): string {
  try {
    return open();
  } catch {
    throw new StartRefused(
      'The secrets in this data directory were sealed with another master key: restore the one ' +
        'that belongs to it, as MASTER_KEY (which is used when it is set) or in master.key.',
    );
  }
}
