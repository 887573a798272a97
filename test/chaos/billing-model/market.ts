import { DEFAULT_DUNNING, type DunningSettings, type ModelPlan } from './model.js';

/** What an app is set to now. Who has bought a plan keeps it as it was (rules/lifecycle 7). */
export class Market {
  readonly #prices = new Map<string, number>();
  readonly #closed = new Set<string>();
  /** From the next first decline on. */
  dunning: DunningSettings = DEFAULT_DUNNING;

  /** At its present price. */
  offer(plan: ModelPlan): ModelPlan {
    return { ...plan, cents: this.#prices.get(plan.code) ?? plan.cents };
  }

  isClosed({ code }: ModelPlan): boolean {
    return this.#closed.has(code);
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
