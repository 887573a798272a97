import { type ApiClient, backendClient, bearer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { knowPrices, putTaxRates } from '../../support/prices.js';
import { createPlan, requireOk } from '../../support/scenario.js';
import type { Part, RunningStandalone } from '../../support/standalone.js';
import type { WebhookReceiver } from '../../support/webhook-receiver.js';
import { describeRates, RATES } from './model-tax.js';
import { type ModelPlan, ONCE, PLANS } from './model.js';

/** The stage of the model's runs: a standalone, and the receiver of all runs' webhooks. */
export interface ModelStage {
  readonly standalone: Pick<RunningStandalone, 'baseUrl' | 'demo'>;
  readonly allAppsToken: string;
  readonly receiver: WebhookReceiver;
  /** Kills a part with -9. */
  readonly killPart?: (part: Part) => Promise<void>;
}

/** An app with the plans of the model, as its backend and its operators reach it. */
export interface StudioApp {
  readonly appId: string;
  readonly planIds: ReadonlyMap<string, string>;
  readonly backend: ApiClient;
  readonly operator: ApiClient;
}

/** Makes an app of its own for a life. */
export async function makeStudioApp(stage: ModelStage): Promise<StudioApp> {
  const { baseUrl, demo } = stage.standalone;
  const operator = bearer(baseUrl, stage.allAppsToken);
  await untilReady(operator);
  const app = { name: 'model', environment: 'test' };
  const { body } = requireOk(await operator.post('/manage/apps', app));
  const appId = String(body['appId']);
  const backend = backendClient({ ...demo, appId, ingressSecret: String(body['ingressSecret']) });
  const planIds = await makePlans(operator, appId);
  const rates = describeRates(RATES[0]);
  await knowPrices(backend, await putTaxRates(operator, appId, { rates }));
  const endpoint = { url: stage.receiver.url, eventTypes: ['*'], accept: '2xx' };
  requireOk(await operator.post(`/manage/apps/${appId}/webhook-endpoints`, endpoint));
  return { appId, planIds, backend, operator };
}

/** @returns their ids by their codes. */
async function makePlans(operator: ApiClient, appId: string): Promise<ReadonlyMap<string, string>> {
  const planIds = new Map<string, string>();
  const sold: readonly ModelPlan[] = [...PLANS, ONCE];
  for (const { code, cents, period, trial, onePerPlayer = false } of sold) {
    const id = await createPlan(operator, appId, {
      code,
      billingPeriodValue: String(period.value),
      billingPeriodUnit: period.unit,
      prices: [{ currency: 'USD', amountCents: String(cents) }],
      onePerPlayer,
      ...(trial !== null && {
        trialPeriodValue: String(trial.value),
        trialPeriodUnit: trial.unit,
      }),
    });
    planIds.set(code, id);
  }
  return planIds;
}

/** A part that died in the life before may not be back yet. */
async function untilReady(operator: ApiClient): Promise<void> {
  const isReady = () =>
    operator.get('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually(isReady, { what: 'the API' });
}
