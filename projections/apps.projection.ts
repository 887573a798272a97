import {
  type App,
  appAggregate,
  type CatalogSettings,
  type CreatedApp,
  evolveApp,
} from '#domain/app';
import {
  type Document,
  type DocumentPage,
  type DocumentPageOptions,
  foldedBy,
  type IndexName,
  oldestFirst,
  type Projection,
} from '#projection-engine/define';
import { onlyExisting, pageOfExisting } from './existing.js';
import { appRecipe } from './recipes/apps.js';

/** An app as lists show it. Secrets, sealed or not, stay in the event store. */
export type ListedApp = Pick<
  CreatedApp,
  | 'status'
  | 'appId'
  | 'name'
  | 'environment'
  | 'createdAt'
  | 'segments'
  | 'dunning'
  | 'onLostDispute'
  | 'allowedOrigins'
  | 'defaultRegionCode'
  | 'sealWitness'
  | 'gateway'
  | 'tokenIssuer'
> & { readonly catalog: Omit<CatalogSettings, 'sealedApiKey'> | null };
export type MaybeListedApp = ListedApp | { readonly status: 'none' };

interface AppQueries {
  /** Oldest first, of all apps. */
  list(options: DocumentPageOptions): Promise<DocumentPage<ListedApp>>;
  /** Oldest first, of those that have one of these ids. */
  listAmong(
    appIds: readonly string[],
    options: DocumentPageOptions,
  ): Promise<DocumentPage<ListedApp>>;
  has(appId: string): Promise<boolean>;
}

/** Fields that folding an app needs and no list shows. */
const NO_SECRETS = {
  ingressSecrets: [],
  sealedApiKey: '',
  sealedTokenKey: '',
  sealedPseudonymKey: '',
  tokenPublicKey: {},
  stripeKeys: null,
  brand: null,
} satisfies Omit<CreatedApp, keyof ListedApp>;

/** Which apps are there? (rules/api 16) */
export const apps: Projection<MaybeListedApp, AppQueries> = {
  ...foldedBy(appAggregate),
  name: 'apps',
  version: 9,
  initialState: { status: 'none' },
  project: (before, event) => {
    const app = before.status === 'none' ? before : withNoSecrets(before);
    // It is given only events of the types that it names.
    return withoutSecrets(evolveApp(app, event as Parameters<typeof evolveApp>[1]));
  },
  indexes: (id, app) => (app.status === 'none' ? [] : [oldestFirst(ALL, app.createdAt, id)]),
  recipe: appRecipe,
  queries: (read) => ({
    list: async (options) => pageOfExisting(await read.page([ALL], 'everywhere', options)),
    listAmong: async (appIds, { limit, after = '' }) => {
      const found = await Promise.all([...new Set(appIds)].map((id) => read.find(id)));
      const listed = found
        .flatMap((document) => onlyExisting(document) ?? [])
        .map((document) => ({ document, member: readMember(document) }))
        .filter(({ member }) => after === '' || member < after)
        .sort((a, b) => (a.member < b.member ? 1 : -1));
      const shown = listed.slice(0, limit);
      const nextAfter = listed.length > limit ? shown.at(-1)?.member : undefined;
      return { documents: shown.map(({ document }) => document), nextAfter };
    },
    has: async (appId) => onlyExisting(await read.find(appId)) !== undefined,
  }),
};

const ALL: IndexName = ['all'];

/** Where an app stands in the list of all: a page token is the same for both. */
function readMember({ state }: Document<ListedApp>): string {
  return oldestFirst(ALL, state.createdAt, state.appId).member;
}

function withNoSecrets({ catalog, ...app }: ListedApp): CreatedApp {
  return { ...app, ...NO_SECRETS, catalog: catalog && { ...catalog, sealedApiKey: '' } };
}

function withoutSecrets(app: App): MaybeListedApp {
  if (app.status === 'none') return app;
  const { status, appId, name, environment, createdAt } = app;
  const { segments, dunning, onLostDispute, allowedOrigins, defaultRegionCode } = app;
  const { gateway, tokenIssuer, sealWitness } = app;
  const { baseUrl = '', path = '', apiKeyHeader = '' } = app.catalog ?? {};
  return {
    ...{ status, appId, name, environment, createdAt },
    ...{ segments, dunning, onLostDispute, allowedOrigins, defaultRegionCode },
    ...{ sealWitness, gateway, tokenIssuer },
    catalog: app.catalog && { baseUrl, path, apiKeyHeader },
  };
}
