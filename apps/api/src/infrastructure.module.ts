import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EVENT_TYPES } from '#domain/event-types';
import { connectEventStore, createCommandExecutor } from '#event-store';
import { createGateways, SANDBOX_EVENT_TYPES } from '#gateway';
import { createSeal, type Log, type Shutdown, wallClock } from '#platform';
import { openPriceBooks } from '#price-books';
import { createReadModels } from '#projection-engine';
import {
  createAccessTokens,
  createAppSecrets,
  createOperatorTokens,
  openAppDirectory,
  registersIn,
} from '#tenancy';
import { Creations } from './commands/creations.js';
import { CommandContexts } from './commands/command-contexts.js';
import { RunCommandHandler } from './commands/run-command.js';
import type { ApiConfig } from './config.js';
import { createPageTokens } from './http/page-token.js';
import {
  ACCESS_TOKENS,
  APP_DIRECTORY,
  APP_SECRETS,
  CLOCK,
  COMMANDS,
  CONFIG,
  EVENT_STORE,
  GATEWAYS,
  LOG,
  OPERATOR_TOKENS,
  PAGE_TOKENS,
  PRICE_BOOKS,
  READ_MODELS,
  STOPPING,
} from './tokens.js';
import { Admission } from './auth/admission.js';
import { Authenticator } from './auth/authenticator.js';

/** Connects everything that the API stands on, in the order in which each needs the other. */
export async function connectInfrastructure(config: ApiConfig, log: Log, shutdown: Shutdown) {
  const store = connectEventStore(config.eventStoreUrl, {
    knownTypes: [...EVENT_TYPES, ...SANDBOX_EVENT_TYPES],
  });
  shutdown.add('event store', () => store.dispose());
  const readModels = createReadModels({ redis: config.redisUrl });
  shutdown.add('redis', () => readModels.close());
  const commands = createCommandExecutor(store);
  const seal = createSeal(config.masterKey);
  const secrets = createAppSecrets(seal);
  const clock = wallClock;
  // Requests under way when a stop begins may wait for what is followed: it ends after them.
  const following = new AbortController();
  shutdown.add('following the store', () => following.abort());
  const { signal } = following;
  const { sandboxInProductionApps } = config;
  const directory = await openAppDirectory({
    store,
    commands,
    clock,
    // `waitFor` is asked for events of apps, which come with their own position; `catchUpTo` for any.
    tellsEveryPosition: false,
    signal,
    log,
  });
  const books = await openPriceBooks({ store, commands, signal, log });
  return [
    { provide: ACCESS_TOKENS, useValue: createAccessTokens((id) => directory.find(id), secrets) },
    { provide: APP_DIRECTORY, useValue: directory },
    { provide: APP_SECRETS, useValue: secrets },
    { provide: CLOCK, useValue: clock },
    { provide: COMMANDS, useValue: commands },
    { provide: CONFIG, useValue: config },
    { provide: EVENT_STORE, useValue: store },
    { provide: GATEWAYS, useValue: createGateways({ commands, clock, sandboxInProductionApps }) },
    { provide: LOG, useValue: log },
    { provide: OPERATOR_TOKENS, useValue: createOperatorTokens(seal, registersIn(commands)) },
    { provide: PAGE_TOKENS, useValue: createPageTokens(seal.deriveKey('page tokens')) },
    { provide: PRICE_BOOKS, useValue: books },
    { provide: READ_MODELS, useValue: readModels },
    { provide: STOPPING, useValue: shutdown.signal },
  ];
}

type Infrastructure = Awaited<ReturnType<typeof connectInfrastructure>>;

@Module({})
export class InfrastructureModule {
  static with(infrastructure: Infrastructure): DynamicModule {
    const services = [Admission, Authenticator, Creations, CommandContexts];
    return {
      module: InfrastructureModule,
      global: true,
      imports: [CqrsModule.forRoot()],
      providers: [...infrastructure, ...services, RunCommandHandler],
      exports: [...infrastructure, ...services, CqrsModule],
    };
  }
}
