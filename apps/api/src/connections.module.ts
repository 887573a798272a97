import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { playerAggregate } from '#domain/player';
import { requireSameLedger } from '#event-store';
import { HANDOVER_KEYS } from '#finance';
import { createSandboxNotices } from '#gateway';
import { createGateways, createNoticeReaders } from '#gateway/apps';
import {
  connectLedger,
  endWithLedger,
  type LedgerConnection,
  LedgerModule,
  Readiness,
} from '#nest/program';
import { createSeal, type Log, type Seal, type Shutdown } from '#platform';
import { PRICE_AGGREGATES, PriceBooks } from '#price-books';
import { connectForReading, createReadModels, type ReadModels } from '#projection-engine';
import { apps, documentProjections } from '#projections';
import type { Redis } from '#redis';
import {
  type AppSecrets,
  createAccessTokens,
  createAppSecrets,
  createOperatorTokens,
  createPersonalData,
  createShopTokens,
  type PersonalData,
  registersIn,
} from '#tenancy';
import { DeliveryLog, EndpointFailures } from '#worker-state';
import { Admission } from './auth/admission.js';
import { Authenticator } from './auth/authenticator.js';
import { IssuerConnections } from './auth/issuer-connections.js';
import { RateLimits } from './auth/rate-limits.js';
import { Creations } from './commands/creations.js';
import { PlayerLinks, Players } from './commands/player-links.js';
import type { ApiConfig } from './config.js';
import { ApiReadiness } from './health/api-readiness.js';
import { createPageTokens } from './http/page-token.js';
import { Bookkeeper } from './manage/finance/bookkeeper.js';
import {
  ACCESS_TOKENS,
  APP_SECRETS,
  CONFIG,
  GATEWAYS,
  LEDGER_IDENTITY,
  NOTICE_READERS,
  OPERATOR_TOKENS,
  PAGE_TOKENS,
  PERSONAL_DATA,
  PRICE_BOOKS,
  READ_MODELS,
  REDIS,
  REQUIRE_SAME_LEDGER,
  SANDBOX_NOTICES,
  SHOP_TOKENS,
} from './tokens.js';

/** The aggregates that the API follows beside the apps. */
const FOLLOWED = [...PRICE_AGGREGATES, playerAggregate];

/** The connections of the API beside the event store. */
export interface ApiConnections {
  readonly readModels: ReadModels;
  readonly redis: Redis;
  readonly books: PriceBooks;
  readonly seal: Seal;
  readonly secrets: AppSecrets;
  readonly personalData: PersonalData;
}

/**
 * Connects everything that the API stands on, in the order in which each needs the other.
 *
 * @param shutdown begins, too, when the ledger is another one than it was.
 * @throws Fault when the event store is out of reach.
 */
export async function openConnections(
  config: ApiConfig,
  log: Log,
  shutdown: Shutdown,
): Promise<DynamicModule[]> {
  const { eventStoreUrl, namespace } = config;
  // They are of a ledger, which has to be known first.
  const opened: { readModels?: ReadModels } = {};
  const ledger = await connectLedger({
    ...{ eventStoreUrl, namespace, log, stopping: shutdown.signal },
    aggregates: FOLLOWED,
    isAppListed: async (appId) => (await opened.readModels?.ask(apps).has(appId)) ?? false,
  });
  endWithLedger(ledger, shutdown);
  const { store, identity, commands, live } = ledger;
  const books = new PriceBooks({ store, live, log });
  const readModels = createReadModels({
    redis: config.redisUrl,
    identity,
    projections: documentProjections,
  });
  opened.readModels = readModels;
  const seal = createSeal(config.masterKeys);
  const secrets = createAppSecrets(seal);
  const personalData = createPersonalData({ live, commands, seal });
  const redis = connectForReading(config.redisUrl);
  const connections = {
    readModels,
    redis,
    books,
    seal,
    secrets,
    personalData,
  };
  return [LedgerModule.with(ledger, secrets), ConnectionsModule.with(config, ledger, connections)];
}

/** Services that the API's modules share beside the ledger: the read models, the secrets, the price books. */
@Module({})
export class ConnectionsModule implements OnApplicationShutdown {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  static with(
    config: ApiConfig,
    { store, identity, commands, apps, clock }: LedgerConnection,
    { readModels, redis, books, seal, secrets, personalData }: ApiConnections,
  ): DynamicModule {
    const sandboxNotices = createSandboxNotices({
      keys: () => seal.deriveKeys('sandbox notices'),
      clock,
    });
    const around = { ...config, apps, secrets, commands, clock };
    const noticeReaders = createNoticeReaders({ ...around, sandbox: sandboxNotices });
    const provided = [
      IssuerConnections,
      {
        provide: ACCESS_TOKENS,
        useFactory: (issuers: IssuerConnections) =>
          createAccessTokens(apps, secrets, (app, issuer) => issuers.fetchKeys(app, issuer)),
        inject: [IssuerConnections],
      },
      { provide: APP_SECRETS, useValue: secrets },
      { provide: CONFIG, useValue: config },
      {
        provide: Bookkeeper,
        useValue: new Bookkeeper(config.bookkeeperUrl, () => seal.deriveKeys(HANDOVER_KEYS)),
      },
      { provide: DeliveryLog, useValue: new DeliveryLog(redis, identity) },
      { provide: EndpointFailures, useValue: new EndpointFailures(redis, identity) },
      { provide: GATEWAYS, useValue: createGateways(around) },
      { provide: LEDGER_IDENTITY, useValue: identity },
      { provide: NOTICE_READERS, useValue: noticeReaders },
      { provide: OPERATOR_TOKENS, useValue: createOperatorTokens(seal, registersIn(commands)) },
      { provide: PAGE_TOKENS, useValue: createPageTokens(() => seal.deriveKeys('page tokens')) },
      { provide: PERSONAL_DATA, useValue: personalData },
      { provide: PRICE_BOOKS, useValue: books },
      { provide: READ_MODELS, useValue: readModels },
      { provide: REDIS, useValue: redis },
      { provide: REQUIRE_SAME_LEDGER, useValue: () => requireSameLedger(store, identity) },
      { provide: SANDBOX_NOTICES, useValue: sandboxNotices },
      { provide: SHOP_TOKENS, useValue: createShopTokens(seal) },
      { provide: Readiness, useClass: ApiReadiness },
      ...[Admission, Authenticator, Creations, PlayerLinks, Players, RateLimits],
    ];
    return {
      module: ConnectionsModule,
      global: true,
      providers: provided,
      exports: provided,
    };
  }

  onApplicationShutdown(): Promise<void> {
    this.redis.disconnect();
    return this.readModels.close();
  }
}
