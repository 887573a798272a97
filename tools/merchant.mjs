/**
 * A small merchant for the demo app of a running standalone: a catalog with pictures, an endpoint that checks and
 * prints webhooks, a list of its players' items, and a page that stands for the game. It shows all that a studio's
 * backend has to do; `--webhooks` leaves all of it out but the endpoint.
 */
import { createServer } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { call, readDemo } from './demo.mjs';
import { Catalog, nameItem } from './merchant/catalog.mjs';
import { describeWebhook, Endpoint, SEALED } from './merchant/endpoint.mjs';
import { openShop, renderGame } from './merchant/game-page.mjs';
import { Inventory } from './merchant/inventory.mjs';
import { endWithReader, EXIT_CODES, onStop, reportError } from './process.mjs';
import { Witness } from './merchant/witness.mjs';
import { describeSummary } from './sequence-tracker.mjs';

const HELP = `Usage: npm run merchant -- [--port N] [--json] [--full]
       npm run receiver -- [--port N] [--json] [--full]

A merchant for the demo app of a running standalone. It sets itself as the app's catalog, with items
and pictures of its own, and listens for webhooks: it checks their signatures and prints them, a line
each, with what is missing of a subject, late, or there for the second time. What is bought it grants,
and prints that, too. Its page is the game: what players have, and a button that opens the shop.
Ctrl-C takes the endpoint away again and prints what all of it comes to.

The receiver listens for webhooks alone.

  --port N    port to listen at (default 0: a free one)
  --json      print each webhook and each grant as one JSON object, and the end as one, too
  --full      print the whole body
  --webhooks  no catalog, no game: what the receiver is
  --witness FILE   keep the note of the ledger's last checkpoint in FILE, and refuse one that does not follow on it.
                   Checkpoints come by webhook where an operator has set the app's sealWitness, and are looked for
                   each minute (the ledger must have SEAL_PUBLIC=true)
  --seal-key VKEY  the key that must have signed it (subledger seal key show)

The standalone leaves its addresses and secrets in DATA_DIR/demo.json (default ./data).
`;

/** A checkpoint comes each ten minutes at most. */
const WITNESS_MS = 60_000;
/** A form with the name of a player is no longer. */
const FORM_BYTES = 2_000;

const values = readOptions();
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

try {
  await run(readDemo());
} catch (error) {
  reportError(error);
  process.exit();
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        json: { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
        webhooks: { type: 'boolean', default: false },
        witness: { type: 'string' },
        'seal-key': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error.message} See --help.`);
    process.exit(EXIT_CODES.usage);
  }
}

async function run(demo) {
  const endpoint = new Endpoint(demo);
  const inventory = new Inventory();
  const catalog = new Catalog(inventory);
  const witness = values.witness === undefined ? undefined : openWitness(demo);
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (request.url === '/webhooks')
        takeWebhook({ endpoint, inventory, witness }, { request, response, body });
      else void answer({ demo, catalog, inventory }, { request, response, body });
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(values.port), '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${server.address().port}`;
  if (!values.webhooks) await catalog.configure(demo, url);
  await endpoint.register(`${url}/webhooks`, witness !== undefined);
  welcome(url, endpoint.id);
  if (witness !== undefined) watchLedger(witness);
  const stop = async () => {
    await endpoint.remove();
    const summary = endpoint.summarize();
    console.log(values.json ? JSON.stringify({ summary }) : describeSummary(summary));
    process.exit(0);
  };
  onStop(stop);
  endWithReader(stop);
}

function welcome(url, id) {
  if (values.json) {
    if (!values.webhooks) console.log(JSON.stringify({ url, endpointId: id, ready: true }));
    return;
  }
  console.log(`Listening for webhooks at ${url}/webhooks (endpoint ${id}). Ctrl-C to stop.`);
  if (!values.webhooks) console.log(`The game is at ${url}/ : its button opens the shop.`);
}

function openWitness(demo) {
  const ask = async (path) => {
    const response = await call(demo, 'GET', path);
    return { status: response.status, text: await response.text() };
  };
  return new Witness(path.resolve(values.witness), ask, values['seal-key']);
}

/** Looks at once, and then each minute: a webhook may have been missed. */
function watchLedger(witness) {
  const look = () => showSeen(witness.look());
  void look();
  setInterval(look, WITNESS_MS).unref();
}

/** A ledger that is where it was is not worth a line. */
async function showSeen(looking) {
  const seen = await looking.catch((error) => ({ kind: 'unknown', sentence: error.message }));
  if (seen.kind === 'same') return;
  console.log(values.json ? JSON.stringify({ ledger: seen }) : `${seen.kind}: ${seen.sentence}`);
}

/** A receiver answers 2xx to a known webhook, and does nothing else (docs/webhooks.md). */
function takeWebhook({ endpoint, inventory, witness }, { request, response, body }) {
  const webhook = endpoint.take(request.headers, body);
  const { isGenuine, fits, ...shown } = webhook;
  const changes = isGenuine && !values.webhooks ? inventory.apply(webhook) : [];
  response.writeHead(isGenuine ? 204 : 401).end();
  if (values.json) console.log(JSON.stringify({ ...shown, isGenuine, ...fits }));
  else console.log(describeWebhook(webhook));
  if (values.full && isGenuine && !values.json)
    console.log(JSON.stringify(JSON.parse(body), null, 2));
  // A test has the number 0, and a log that does not exist.
  const isCheckpoint = isGenuine && webhook.type === SEALED && webhook.sequence !== '0';
  if (isCheckpoint && witness !== undefined) void showSeen(witness.take(webhook.data));
  for (const change of changes) {
    console.log(values.json ? JSON.stringify({ granted: change }) : describeChange(change));
  }
}

function describeChange({ userId, itemId, quantity, left }) {
  const what = quantity < 0 ? `gives back ${-quantity}` : `gets ${quantity}`;
  return `  ${userId} ${what} x ${nameItem(itemId)} and has ${left}`;
}

/** The catalog, its pictures, and the game. */
async function answer({ demo, catalog, inventory }, { request, response, body }) {
  const baseUrl = `http://${request.socket.localAddress}:${request.socket.localPort}`;
  try {
    const address = new URL(request.url, baseUrl);
    const offered = values.webhooks ? undefined : catalog.answer(address, request.headers, baseUrl);
    if (offered !== undefined) {
      response.writeHead(offered.status, { 'content-type': offered.type }).end(offered.body);
    } else if (request.method === 'POST' && address.pathname === '/shop' && !values.webhooks) {
      const player =
        new URLSearchParams(body.subarray(0, FORM_BYTES).toString()).get('player') ?? '';
      response.writeHead(303, { location: await openShop(demo, player) }).end();
    } else if (address.pathname === '/' && !values.webhooks) {
      const page = renderGame(inventory.list());
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    } else response.writeHead(404).end();
  } catch (error) {
    response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error.message));
  }
}
