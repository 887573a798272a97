import { RATES, type RatesByRegion, type RatesVersion, versionAt } from './model-tax.js';
import { DEFAULT_DUNNING, type DunningSettings, type ModelPlan } from './model.js';

/** The present settings of an app. A buyer of a plan keeps it as it was (rules/lifecycle 7). */
export class Market {
  readonly #prices = new Map<string, number>();
  readonly #closed = new Set<string>();
  /** From the next first decline on. */
  dunning: DunningSettings = DEFAULT_DUNNING;
  /** All tax rates that were ever set; subscriptions look into the same list. */
  readonly rates: RatesVersion[] = [{ version: 1, from: 0, rates: RATES[0] }];

  /** At its present price. */
  offer(plan: ModelPlan): ModelPlan {
    return { ...plan, cents: this.#prices.get(plan.code) ?? plan.cents };
  }

  isClosed({ code }: ModelPlan): boolean {
    return this.#closed.has(code);
  }

  /** @param from null for now; then those that hold already are no new version. @returns the version that holds then. */
  setRates(rates: RatesByRegion, { from, now }: { from: number | null; now: number }): number {
    const inForce = versionAt(this.rates, now);
    if (from === null && inForce?.rates === rates) return inForce.version;
    const version = this.rates.length + 1;
    this.rates.push({ version, from: from ?? now, rates });
    return version;
  }

  reprice({ code }: ModelPlan, cents: number): void {
    this.#prices.set(code, cents);
  }

  close({ code }: ModelPlan): void {
    this.#closed.add(code);
  }

  open({ code }: ModelPlan): void {
    this.#closed.delete(code);
  }
}
