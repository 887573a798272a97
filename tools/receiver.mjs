/**
 * A small merchant: it registers itself as a webhook endpoint of the demo app, verifies both
 * signatures of every webhook, and prints one line for each: also what is missing before it, and whether it is late or
 * was seen before. It shows all that a receiver has to do.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { call, readDemo } from './demo.mjs';
import { endWithReader, EXIT_CODES, onStop, reportError, ToolError } from './process.mjs';
import { describeOrder, describeSummary, SequenceTracker } from './sequence-tracker.mjs';

const HELP = `Usage: npm run receiver -- [--port N] [--json] [--full]

Listens for the webhooks of the demo app of a running standalone, checks their signatures and prints
them, a line each, with what is missing of a subject, late, or there for the second time. Ctrl-C takes
the endpoint away again and prints what all of it comes to.

  --port N  port to listen at (default 0: a free one)
  --json    print each webhook as one JSON object, and the end as one, too
  --full    print the whole body
`;

/** Standard Webhooks: a delivery whose timestamp is further off may be a replay. */
const TOLERANCE_SECONDS = 300;

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
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error.message} See --help.`);
    process.exit(EXIT_CODES.usage);
  }
}

async function run(demo) {
  const tracker = new SequenceTracker();
  let secret;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const isGenuine = secret !== undefined && verify(secret, request.headers, body);
      response.writeHead(isGenuine ? 204 : 401).end();
      print(request.headers, body, isGenuine, tracker);
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(values.port), '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${server.address().port}/webhooks`;
  const endpoint = await register(demo, url);
  secret = Buffer.from(endpoint.secret.slice('whsec_'.length), 'base64');
  if (!values.json)
    console.log(`Listening for webhooks at ${url} (endpoint ${endpoint.id}). Ctrl-C to stop.`);
  const stop = async () => {
    const address = `/manage/apps/${demo.appId}/webhook-endpoints/${endpoint.id}`;
    await call(demo, 'DELETE', address).catch(() => undefined);
    const summary = tracker.summarize();
    console.log(values.json ? JSON.stringify({ summary }) : describeSummary(summary));
    process.exit(0);
  };
  onStop(stop);
  endWithReader(stop);
}

async function register(demo, url) {
  const address = `/manage/apps/${demo.appId}/webhook-endpoints`;
  const answer = await call(demo, 'POST', address, JSON.stringify({ url, eventTypes: ['*'] }));
  const body = await answer.json();
  if (!answer.ok) throw new ToolError(`The endpoint was refused: ${body.message}`, 'refused');
  return body;
}

/** Both signatures are over the received bytes, with the same secret (rules/webhooks 4). */
function verify(secret, headers, body) {
  const timestamp = Number(headers['webhook-timestamp']);
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= TOLERANCE_SECONDS)) return false;
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${timestamp}.`), body]);
  const expected = `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
  const given = String(headers['webhook-signature']).split(' ');
  const plain = createHmac('sha256', secret).update(body).digest('base64');
  return (
    given.some((one) => isEqual(one, expected)) &&
    isEqual(String(headers['service-hmac-signature']), plain)
  );
}

function isEqual(left, right) {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The same webhook-id may come twice: delivery is at least once. What is not ours is not counted. */
function print(headers, body, isGenuine, tracker) {
  const id = headers['webhook-id'];
  const parsed = isGenuine ? JSON.parse(body.toString('utf8')) : {};
  const { type = 'unsigned', data = {} } = parsed;
  const sequence = headers['service-event-sequence'];
  const taken = isGenuine && tracker.take({ id, sequence: Number(sequence), data });
  if (values.json) {
    const isRepeated = taken.order === 'duplicate';
    console.log(JSON.stringify({ id, type, sequence, isGenuine, isRepeated, ...taken, data }));
    return;
  }
  const order = isGenuine ? describeOrder(taken) : '';
  const note = [isGenuine ? 'signature ok' : 'WRONG SIGNATURE', ...(order === '' ? [] : [order])];
  console.log(
    `${new Date().toISOString()}  #${sequence} ${type.padEnd(32)} ${data.status ?? data.total ?? ''}  ${id}  (${note.join(', ')})`,
  );
  if (values.full) console.log(JSON.stringify(parsed, null, 2));
}
