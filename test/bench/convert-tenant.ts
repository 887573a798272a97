import { appAggregate } from '#domain/app';
import { convertPrices } from '#domain/price-sheet';
import { createCommandExecutor } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSeal, newAppId, wallClock } from '#platform';
import { PriceSheetReader } from '#price-books';
import { createAppSecrets, issueOperatorToken } from '#tenancy';

/** An app with prices, and what its backend and its operator need. */
export interface Tenant {
  readonly appId: string;
  readonly ingressSecret: string;
  readonly operatorToken: string;
}

export const SMALL_SHEET_ROWS = 1_000;
export const LARGE_SHEET_ROWS = 200_000;

/** Ten rows an id; Germany is asked for. */
const COLUMNS = [
  'US,USD',
  'DE,EUR',
  'FR,EUR',
  'JP,JPY',
  'GB,GBP',
  'BR,BRL',
  'IN,INR',
  'KR,KRW',
  'PL,PLN',
  'CA,CAD',
];
const ASKED_IDS = 100;
const TAX_RATES = [{ country: 'DE', rate: '0.19', inclusive: true }];
const TOKEN_SECONDS = 3600;
const NEW_QUOTE_ROUNDS = 50;

/** Creates an app as the standalone creates its own. */
export async function createTenant(eventStoreUrl: string, masterKey: Buffer): Promise<Tenant> {
  const store = connectEventStore(eventStoreUrl);
  try {
    await store.namespaces.open(1);
    const seal = createSeal(masterKey);
    const now = wallClock.now();
    const appId = newAppId(now);
    const { sealed, shown } = await createAppSecrets(seal).createFor(appId);
    const environment = 'production';
    const app = { appId, name: 'bench', environment, createdAt: now, ...sealed } as const;
    const commands = createCommandExecutor(store);
    await commands.execute(
      appAggregate,
      appId,
      { kind: 'CreateApp', app },
      { appId, environment, actor: 'bench', correlationId: appId, now },
    );
    const wanted = { name: 'bench', roles: ['manager'], apps: [appId], issuedBy: 'bench' } as const;
    const issue = { wanted, lifetimeSeconds: TOKEN_SECONDS };
    const issued = await issueOperatorToken(commands, seal, issue);
    if (!issued.accepted) throw new Error(`no operator token: ${issued.rejection.code}`);
    return { appId, ingressSecret: shown.ingressSecret, operatorToken: issued.token };
  } finally {
    await store.dispose();
  }
}

/** Uploads a sheet of this many rows and the tax rates, as an operator does. */
export async function uploadPrices(url: string, tenant: Tenant, rows: number): Promise<void> {
  await put(url, tenant, 'price-sheet', 'text/csv', buildSheet(rows));
  await put(url, tenant, 'tax-rates', 'application/json', JSON.stringify({ rates: TAX_RATES }));
}

/** The request: 100 ids of one country with rounding, spread over the small sheet. */
export function conversionBody(): string {
  const priceIds = Array.from({ length: ASKED_IDS }, (_, index) => `item_${index}`);
  return JSON.stringify({
    sourceCurrency: 'USD',
    destinationCountry: 'DE',
    priceIds,
    rounding: 'hg',
  });
}

/** What a quote of an answer that is not kept costs, in microseconds, by the rows of the sheet. */
export function measureNewQuotes(): Record<number, number> {
  return Object.fromEntries(
    [SMALL_SHEET_ROWS, LARGE_SHEET_ROWS].map((rows) => [rows, newQuoteUs(rows)]),
  );
}

function newQuoteUs(rows: number): number {
  const now = wallClock.now();
  const reader = new PriceSheetReader(now);
  reader.write(Buffer.from(buildSheet(rows)));
  const reading = reader.finish();
  if (!reading.accepted) throw new Error('the sheet of the benchmark is bad');
  const version = {
    version: 1,
    rates: TAX_RATES,
    effectiveFrom: now,
    setBy: 'bench',
    setAt: now,
  };
  const basis = { sheet: reading.sheet, sheetVersion: 1, taxRates: { versions: [version] } };
  // The request is one of ours, with the types that it has.
  const request = JSON.parse(conversionBody()) as Parameters<typeof convertPrices>[1];
  const times: number[] = [];
  for (let round = 0; round < NEW_QUOTE_ROUNDS; round += 1) {
    const startedAt = performance.now();
    JSON.stringify(convertPrices(basis, request, now));
    times.push(((performance.now() - startedAt) * 1000) / ASKED_IDS);
  }
  return Number((times.sort((a, b) => a - b)[NEW_QUOTE_ROUNDS >> 1] ?? 0).toFixed(2));
}

function buildSheet(rows: number): string {
  const lines = ['priceId,country,currency,amount'];
  for (let row = 0; row < rows; row += 1) {
    const item = Math.floor(row / COLUMNS.length);
    lines.push(`item_${item},${COLUMNS[row % COLUMNS.length] ?? ''},${item + 1}`);
  }
  return lines.join('\n');
}

async function put(
  url: string,
  { appId, operatorToken }: Tenant,
  what: string,
  contentType: string,
  body: string,
): Promise<void> {
  const answer = await fetch(`${url}/manage/apps/${appId}/${what}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': contentType },
    body,
  });
  if (!answer.ok) throw new Error(`PUT ${what}: HTTP ${answer.status}: ${await answer.text()}`);
}
