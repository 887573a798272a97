import { type ApiClient, backendClient, bearer } from '../support/api-client.js';
import { grantOperatorToken } from '../support/operators.js';
import { requireOk } from '../support/scenario.js';
import {
  type RunningStandalone,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

/** A standalone of a run's own, an operator for all of its apps, and a merchant's receiver. */
export interface ChaosStage<Standalone = Pick<RunningStandalone, 'baseUrl' | 'demo'>> {
  readonly standalone: Standalone;
  readonly allAppsToken: string;
  readonly receiver: WebhookReceiver;
}

/** Does something on a stage, and ends everything on it afterwards. @param envFor its data directory. */
export async function onStage<Result>(
  act: (stage: ChaosStage<RunningStandalone>) => Promise<Result>,
  envFor: (dataDir: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<Result> {
  const folder = temporaryDataDir();
  const standalone = await startStandalone(folder.dataDir, envFor(folder.dataDir));
  const receiver = await startWebhookReceiver();
  try {
    const { token: allAppsToken } = await grantOperatorToken(standalone, ['admin'], ['*']);
    return await act({ standalone, allAppsToken, receiver });
  } finally {
    await receiver.close();
    await standalone.stop();
    folder.remove();
  }
}

/** The result of a run whose error is its one finding, with the seed that finds it again. */
export async function orFinding<Result extends object>(seed: number, run: Promise<Result>) {
  try {
    return await run;
  } catch (error) {
    const finding = error instanceof Error ? error.message : String(error);
    return { summary: `The seed is ${seed}.`, figures: { seed }, findings: [finding] };
  }
}

/** An app of a model's own, as its backend and its operators reach it. */
export interface ModelApp {
  readonly appId: string;
  /** Of its management. */
  readonly path: string;
  readonly backend: ApiClient;
  readonly operator: ApiClient;
}

/** Makes a test app whose webhooks all go to the receiver. */
export async function makeModelApp({
  standalone: { baseUrl, demo },
  allAppsToken,
  receiver,
}: ChaosStage): Promise<ModelApp> {
  const operator = bearer(baseUrl, allAppsToken);
  const wanted = { name: 'model', environment: 'test' };
  const { body } = requireOk(await operator.post('/manage/apps', wanted));
  const appId = String(body['appId']);
  const path = `/manage/apps/${appId}`;
  const backend = backendClient({ ...demo, appId, ingressSecret: String(body['ingressSecret']) });
  const endpoint = { url: receiver.url, eventTypes: ['*'], accept: '2xx' };
  requireOk(await operator.post(`${path}/webhook-endpoints`, endpoint));
  return { appId, path, backend, operator };
}
