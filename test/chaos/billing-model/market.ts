import type { ModelPlan } from './model.js';

/** The plans of an app as they are for sale now: who has bought one keeps it as it was (rules/lifecycle 7). */
export class Market {
  readonly #prices = new Map<string, number>();
  readonly #closed = new Set<string>();

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
