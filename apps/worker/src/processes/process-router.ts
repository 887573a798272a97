import { Inject, Injectable } from '@nestjs/common';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { RecordedEvent } from '#domain/event';
import { categoryOf } from '#domain/event';
import { orderAggregate } from '#domain/order';
import {
  PROCESS_ROUTES,
  type ProcessNeed,
  type ProcessNeeds,
  type ProcessOutput,
  type ProcessRoute,
  routesFor,
  runRoute,
} from '#domain/processes';
import { type CommandExecutor, StatesAtRevision } from '#event-store';
import { assertDefect } from '#platform';
import type { AppDirectory } from '#tenancy';
import type { TaxRatesInUse } from '../tax-rates-in-use.js';
import { APPS, COMMANDS, TAX_RATES } from '../tokens.js';

/** The streams that routes look at, by category. */
const ROUTED_STREAMS = new Map(
  PROCESS_ROUTES.flatMap(({ stream }) => (stream === null ? [] : [[stream.category, stream]])),
);

/** Those which others begin, and to which processes append then. */
const COMMANDED = new Set([checkoutLinkAggregate.category, orderAggregate.category]);

/** From an event to the steps of its processes, by the rows of the domain (rules/events 9). */
@Injectable()
export class ProcessRouter {
  constructor(
    private readonly states: StatesAtRevision,
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'follow'>,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'find'>,
    @Inject(TAX_RATES) private readonly taxRates: Pick<TaxRatesInUse, 'load'>,
  ) {}

  /**
   * Loads the needs of each row and runs it. Nothing is done yet.
   *
   * @throws Fault of the store; Defect for a stream or an app that cannot be missing.
   */
  route(event: RecordedEvent): readonly ProcessOutput[] | Promise<readonly ProcessOutput[]> {
    this.#follow(event);
    const routes = routesFor(event.type);
    if (routes.length === 0) return [];
    return this.#run(routes, event);
  }

  async #run(
    routes: readonly ProcessRoute[],
    event: RecordedEvent,
  ): Promise<readonly ProcessOutput[]> {
    const outputs: ProcessOutput[] = [];
    for (const route of routes) {
      const state = await this.#loadState(route, event);
      const output = runRoute(route, event, state, await this.#loadNeeds(route, event));
      if (output !== undefined) outputs.push(output);
    }
    return outputs;
  }

  /** A stream whose events are all folded as they go by is not read when its state is needed, or for a command. */
  #follow(event: RecordedEvent): void {
    const stream = ROUTED_STREAMS.get(categoryOf(event.streamName));
    if (stream === undefined) return;
    this.states.follow(stream, event);
    if (COMMANDED.has(stream.category)) this.commands.follow(stream, event);
  }

  async #loadState({ stream, process }: ProcessRoute, event: RecordedEvent): Promise<unknown> {
    if (stream === null) return null;
    const state = await this.states.stateAt(stream, event);
    const { status } = state as { readonly status: string };
    assertDefect(status !== 'none', `${process}: ${event.streamName} has not begun`);
    return state;
  }

  async #loadNeeds(
    { needs, process }: ProcessRoute,
    { metadata: { appId } }: RecordedEvent,
  ): Promise<Partial<ProcessNeeds>> {
    const findApp = async () => {
      const app = await this.apps.find(appId);
      assertDefect(app !== undefined, `${process}: ${appId} is no app`);
      return app;
    };
    const load: { readonly [Need in ProcessNeed]: () => Promise<ProcessNeeds[Need]> } = {
      dunning: async () => (await findApp()).dunning,
      onLostDispute: async () => (await findApp()).onLostDispute,
      taxRates: () => this.taxRates.load(appId),
    };
    const loaded = await Promise.all(
      needs.map(async (need) => [need, await load[need]()] as const),
    );
    return Object.fromEntries(loaded);
  }
}
