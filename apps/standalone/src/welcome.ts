import path from 'node:path';

interface Started {
  readonly baseUrl: string;
  readonly storefrontUrl: string;
  readonly appId: string;
  readonly dataDir: string;
  /** How long the start took. */
  readonly seconds: string;
}

/** The text once everything runs: its addresses, and three lines to try it. */
export function welcome({ baseUrl, storefrontUrl, appId, dataDir, seconds }: Started): string {
  const demo = path.join(dataDir, 'demo.json');
  const field = (name: string) => `$(node -p 'require("${demo}").${name}')`;
  const plan =
    '{"code":"gold","name":"Gold","billingPeriodValue":"1","billingPeriodUnit":"month",' +
    '"prices":[{"currency":"USD","amountCents":"999"}]}';
  return `
subledger is running (ready in ${seconds} s).

  API        ${baseUrl}
  API docs   ${baseUrl}/docs
  storefront ${storefrontUrl}  (what players see: checkout links lead there)
  webshop    ${storefrontUrl}/shop  (opened from a game: "npm run merchant" is one, with a catalog)
  demo app   ${demo}  (ids and secrets of a test app: for you alone)
  data       ${dataDir}  (for this one machine; a cluster takes EventStoreDB, see docs/settings.md)

Try it; each line can be pasted into another terminal:

  curl ${baseUrl}/readyz

  curl -X POST ${baseUrl}/manage/apps/${appId}/plans -H "authorization: Bearer ${field('operatorToken')}" -H 'content-type: application/json' -d '${plan}'

  curl ${baseUrl}/sdk/plans -H "x-service-api-key: ${field('apiKey')}"

The quickstart in README.md goes on from there. Ctrl-C stops everything; nothing is lost.
`;
}
