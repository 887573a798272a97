import { type ApiClient, bearer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { knowPrices, putTaxRates } from '../../support/prices.js';
import { createPlan } from '../../support/scenario.js';
import type { Part } from '../../support/standalone.js';
import { type ChaosStage, makeModelApp, type ModelApp } from '../chaos-stage.js';
import { describeRates, RATES } from './model-tax.js';
import { type ModelPlan, ONCE, PLANS } from './model.js';

/** The stage of the model's runs. */
export interface ModelStage extends ChaosStage {
  /** Kills a part with -9. */
  readonly killPart?: (part: Part) => Promise<void>;
}

/** An app with the plans of the model. */
export interface StudioApp extends ModelApp {
  readonly planIds: ReadonlyMap<string, string>;
}

/** Makes an app of its own for a life. */
export async function makeStudioApp(stage: ModelStage): Promise<StudioApp> {
  await untilReady(bearer(stage.standalone.baseUrl, stage.allAppsToken));
  const app = await makeModelApp(stage);
  const { appId, backend, operator } = app;
  const planIds = await makePlans(operator, appId);
  const rates = describeRates(RATES[0]);
  await knowPrices(backend, await putTaxRates(operator, appId, { rates }));
  return { ...app, planIds };
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
