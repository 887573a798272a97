import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder } from '@nestjs/swagger';
import { prepareDocument, REFUSED_EVERYWHERE } from '#openapi/document';
import metadata from '../metadata.js';
import { EXAMPLES } from './generated/examples.js';
import { REASONS } from './reasons.js';

const DESCRIPTION = `The calls of the pages of checkouts and of the webshop, for game clients and tests that do without the pages.

**Where**: the origin of the links that the API makes (\`/openapi.json\` of the API): \`url\` of a checkout link is
\`/checkout/{linkId}\` here, and that of a link into the webshop \`/shop/enter/{token}\`.

**Data**: send \`Accept: application/json\`. Without it, most addresses answer browsers: pages, and 303 to a page after a
change, and after a change that was refused. Prices and totals are decimal strings in major units, \`amountCents\` is in minor units. Times are RFC 3339 in UTC.

**Sessions**: the shop takes the cookie that \`POST /shop/enter/{token}\` has set, whatever its name, and is 401 \`NO_SESSION\`
without it. Each change carries the \`csrf\` that every answer of the shop has.

**Twice**: each change of the shop carries a \`formId\` that the caller makes up (a claim its \`claimId\`): the same one again
changes nothing again, and with another content it is 409 \`IDEMPOTENCY_KEY_REUSED\`. A payment takes an \`Idempotency-Key\`.

**Errors** have the body \`{code, message, details}\` of google.rpc.Status; go by the \`reason\` of the one ErrorInfo in
\`details\`. Unknown fields are refused.

**Not promised**: everything else that this origin serves is for our own pages and may change with them: the pages
themselves, the form \`POST /checkout/{linkId}/pay\` (its promised form is \`complete\`), the way to a gateway's card page
and back (\`/checkout/{linkId}/card\`), \`/checkout/{linkId}/opened\`, \`/shop/signed-out\`, and files below \`/assets/\`. Webhooks tell
what came of a link, and so do \`complete\` with the same \`Idempotency-Key\`, and the API.`;

const TAGS = [
  ['checkout', 'Paying by a checkout link: its address is all that it takes.'],
  ['session', "The way into a player's webshop, and out of it."],
  ['shop', 'The items that the player can buy or claim.'],
  ['cart', 'The items that the player is about to buy.'],
  ['orders', 'The purchases of the player, under way and made.'],
  ['loyalty', 'The rewards of the player for purchases.'],
  ['sandbox', "The bank of the sandbox's cards, in apps that the sandbox serves."],
] as const;

const SESSION =
  'The cookie that `POST /shop/enter/{token}` sets. It has this name where the storefront is reached by https, and is ' +
  '`shop` where it is not, as on a machine of your own: send back the one that was set.';

const REFUSALS = { everywhere: REFUSED_EVERYWHERE, sessions: ['NO_SESSION'] };

/** Makes the document of all routes of the storefront. @returns it as JSON. */
export async function printDocument(app: NestFastifyApplication): Promise<string> {
  const create = await prepareDocument(app, {
    builder: createBuilder(),
    ...{ tags: TAGS, metadata, refusals: REFUSALS, examples: EXAMPLES },
    groups: { session: 'sessions' },
    reasons: REASONS,
  });
  return JSON.stringify(create());
}

function createBuilder(): DocumentBuilder {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('subledger storefront')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addServer('/', 'Where this document came from')
    .addCookieAuth(
      '__Host-shop',
      { type: 'apiKey', in: 'cookie', description: SESSION },
      'session',
    );
}
