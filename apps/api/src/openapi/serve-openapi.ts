import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { noPath } from '#nest';
import { prepareDocument, REFUSED_EVERYWHERE } from '#openapi/document';
import metadata from '../metadata.js';
import { resolveInDocument } from './docs-page.js';
import { EXAMPLES } from './generated/examples.js';
import { sandboxMethodTable } from './sandbox-methods.js';
import { describeWebhooks, WEBHOOK_TAG } from './webhooks.js';

const DESCRIPTION = `Subscriptions of players, from the checkout link to the last renewal.

**Amounts** are int64 in minor units (cents, yen), carried as strings. **Times** are RFC 3339 in UTC. A
string that is not set is \`""\`. Unknown fields and query parameters are refused.

**Errors** have the body \`{code, message, details}\` of google.rpc.Status; go by the \`reason\` of the one
ErrorInfo in \`details\`. Another app's object is 404, as one that does not exist.

**Changes** take an \`Idempotency-Key\`: the same request with the same key gets the same answer, for good.
\`If-Match\` with an \`ETag\` keeps you from changing a state that you have not seen.

**Reads** may be behind by milliseconds. Send \`x-consistency-token\` of an answer back with a read, and it
shows that write.

**Lists** hold 50 a page, 100 at most; \`nextPageToken\` is \`""\` on the last page. A \`pageToken\` that is 409
\`LIST_ORDER_CHANGED\` after an update of the service is of another order: read the list from its first page again.

**Trying it** on the page at \`/docs\`: "Authorize" takes an operator's token or a player's access token. A signature is over
each body and its moment, so the page cannot make one: \`npm run -s call -- --curl METHOD PATH [JSON]\` prints a signed line
for a shell.

**The sandbox** serves test apps, and has these payment methods:

${sandboxMethodTable()}`;

const TAGS = [
  ['plans', 'The plans for sale.'],
  ['checkout', 'Where a player buys it.'],
  ['subscriptions', 'Purchased plans, from the first period to the last.'],
  ['payments', 'Charges and their refunds.'],
  ['orders', 'Orders that a backend sells by a link of its own.'],
  ['prices', 'Prices of the price sheet, in the currency of a country.'],
  ['webshop', 'The shop in which a player buys the items of the catalog.'],
  ['access tokens', "For players' own clients."],
  ['management: apps', 'Games, their secrets and segments.'],
  ['management: plans', 'Making and changing plans.'],
  ['management: prices', 'Price sheets and tax rates.'],
  ['management: operators', 'Tokens for those who manage an app.'],
  ['management: webhook endpoints', 'Where an app hears of its events.'],
  ['management: catalog', "A studio's items for its players, and failed calls of its backend."],
  ['management: loyalty', 'The rewards of players who pay: points, and milestones with rewards.'],
  ['management: sandbox', "A card network's acts, in apps that the sandbox gateway serves."],
  ['management: finance', "The books of an app: reports, policies, and the gateway's payouts."],
  [
    'management: subscriptions and payments',
    'Their histories in plain words, and refunds by operators.',
  ],
  [
    'management: read models',
    'Rebuilding, verifying, swapping and rolling back what answers queries.',
  ],
  ['management: test clock', 'Letting time pass in a test app.'],
  ['evidence', 'Checkpoints and proofs of the sealed ledger, for witnesses.'],
  [WEBHOOK_TAG, "The messages to a studio's backend."],
] as const;

const REFUSALS = {
  everywhere: [...REFUSED_EVERYWHERE, 'UNAUTHENTICATED', 'WRONG_CREDENTIALS_FOR_OPERATION'],
  operators: ['APP_NOT_FOUND', 'ROLE_NOT_SUFFICIENT', 'SCOPE_NOT_SUFFICIENT'],
  apps: ['RATE_LIMITED'],
};
/** Which of them callers can be refused with in addition, by the kind of their credentials. */
const GROUPS = { operator: 'operators', player: 'apps', signature: 'apps', apiKey: 'apps' };

/** Serves OpenAPI 3.1 at /openapi.json and a page to try it at /docs, both made from the DTOs. */
export async function serveOpenApi(app: INestApplication): Promise<void> {
  const written = { refusals: REFUSALS, groups: GROUPS, examples: EXAMPLES };
  const builder = createBuilder();
  const create = await prepareDocument(app, { builder, tags: TAGS, metadata, ...written });
  SwaggerModule.setup('docs', app, () => withWebhooks(create()), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'subledger API',
    // Tokens stay in the memory of the page: every page of this origin can read a browser's storage. The list of all
    // schemas takes a third of the time until the page is shown; each operation has its own.
    swaggerOptions: {
      ...{ validatorUrl: null, persistAuthorization: false, defaultModelsExpandDepth: -1 },
      fn: { resolveSubtree: resolveInDocument },
    },
  });
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  secureDocs(fastify);
  fastify.get('/', (_request, reply) => reply.redirect('/docs'));
}

function withWebhooks(document: OpenAPIObject): OpenAPIObject {
  return { ...document, webhooks: describeWebhooks(document) };
}

/** The page loads its own files and calls us; it needs nothing else from anywhere. */
const DOCS_SECURITY = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** The files of the page lie in one folder. A path that names no file is not looked for: asking for it would fail. */
const FILE = /^\w[\w.-]{0,99}$/;

/** Goes by the route that was found and not by the address, which can be spelt in many ways. */
function secureDocs(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (url?.startsWith('/docs') === true) reply.headers(DOCS_SECURITY);
    const file = (request.params as Readonly<Record<string, string>>)['*'];
    const isOdd = url === '/docs/*' && file !== undefined && !FILE.test(file);
    done(isOdd ? noPath(request.url) : undefined);
  });
}

function createBuilder(): DocumentBuilder {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('subledger')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addServer('/', 'Where this document came from')
    .addBearerAuth({ type: 'http', description: PLAYER_TOKEN }, 'player')
    .addBearerAuth({ type: 'http', description: OPERATOR_TOKEN }, 'operator')
    .addApiKey(header('x-service-hmac-signature', SIGNATURE), 'signature')
    .addApiKey(header('X-Service-Api-Key', 'Deprecated: sign requests instead.'), 'apiKey');
}

const PLAYER_TOKEN =
  "A player's access token: `POST /sdk/server/access-tokens` issues it. It reaches that player's objects alone.";
const OPERATOR_TOKEN =
  "An operator's token: `operatorToken` in `demo.json` of a standalone, or `POST .../operator-tokens`.";
const SIGNATURE =
  '`v1;{appId};{unixMillis};{signature}`: base64 of HMAC-SHA256 over `{unixMillis}.{body}`, with the bytes ' +
  'of the ingress secret as key. The body is the compact JSON that is sent, and empty for GET. It is another one for each request: the page at /docs ' +
  'cannot make it, `npm run -s call -- --curl` can.';

function header(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description } as const;
}
