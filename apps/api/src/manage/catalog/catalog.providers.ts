import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CatalogCaller, CatalogFailures } from '#catalog';
import { EgressConnections, readEgressOptions } from '#egress';
import type { LedgerStore } from '#event-store';
import { EVENT_STORE, STOPPING } from '#nest';
import { wallClock } from '#platform';
import type { AppSecrets, PersonalData } from '#tenancy';
import type { ApiConfig } from '../../config.js';
import { APP_SECRETS, CONFIG, PERSONAL_DATA } from '../../tokens.js';

/** The connections to studios' backends, which are closed with the program. */
@Injectable()
class CatalogConnections extends EgressConnections implements OnApplicationShutdown {
  constructor(@Inject(CONFIG) config: ApiConfig) {
    super(readEgressOptions(config));
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/** The parts that ask a studio's catalog, and that tell of its failures. */
export const CATALOG_PROVIDERS = [
  CatalogConnections,
  {
    provide: CatalogCaller,
    useFactory: (
      settings: ApiConfig,
      secrets: AppSecrets,
      connections: CatalogConnections,
      signal: AbortSignal,
    ) => new CatalogCaller({ settings, secrets, connections, signal }),
    inject: [CONFIG, APP_SECRETS, CatalogConnections, STOPPING],
  },
  {
    provide: CatalogFailures,
    useFactory: (store: LedgerStore, secrets: AppSecrets, personalData: PersonalData) =>
      new CatalogFailures({ store, secrets, personalData, clock: wallClock }),
    inject: [EVENT_STORE, APP_SECRETS, PERSONAL_DATA],
  },
];
