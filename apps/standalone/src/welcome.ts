import path from 'node:path';

/** What a person reads once everything runs: where it is, and three lines to try it. */
export function welcome(baseUrl: string, appId: string, dataDir: string, seconds: string): string {
  const demo = path.join(dataDir, 'demo.json');
  const field = (name: string) => `$(node -p 'require("${demo}").${name}')`;
  const plan =
    '{"code":"gold","name":"Gold","billingPeriodValue":"1","billingPeriodUnit":"month",' +
    '"prices":[{"currency":"USD","amountCents":"999"}]}';
  return `
subledger is running (ready in ${seconds} s).

  API        ${baseUrl}
  API docs   ${baseUrl}/docs
  demo app   ${demo}  (ids and secrets of a test app: for you alone)
  data       ${dataDir}  (for this one machine; a cluster takes EventStoreDB, see README.md)

Try it; each line can be pasted into another terminal:

  curl ${baseUrl}/readyz

  curl -X POST ${baseUrl}/manage/apps/${appId}/plans -H "authorization: Bearer ${field('operatorToken')}" -H 'content-type: application/json' -d '${plan}'

  curl ${baseUrl}/sdk/plans -H "x-service-api-key: ${field('apiKey')}"

The quickstart in README.md goes on from there. Ctrl-C stops everything; nothing is lost.
`;
}
