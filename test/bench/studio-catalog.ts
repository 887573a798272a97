/** A studio's backend as a program of its own: every player may buy the same 40 items. */
import { createServer } from 'node:http';
import process from 'node:process';
import { listenOnLoopback } from '../support/listen.js';

const ROWS = 4;
const ITEMS_A_ROW = 10;

const body = JSON.stringify({
  rows: Array.from({ length: ROWS }, (_, row) => ({
    header: `Row ${row + 1}`,
    items: Array.from({ length: ITEMS_A_ROW }, (_item, at) => createItem(row * ITEMS_A_ROW + at)),
  })),
});
let calls = 0;
const server = createServer((request, response) => {
  // How often it was asked since the last time that this was asked.
  if (request.url === '/calls') {
    response.end(String(calls));
    calls = 0;
    return;
  }
  calls += 1;
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
});
const port = await listenOnLoopback(server);
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, ready: true }));
process.once('SIGTERM', () => process.exit(0));

function createItem(number: number) {
  return {
    id: `item-${number}`,
    name: `Chest of ${number} gems`,
    description: 'What the heroes of the valley have left behind, to be opened at once.',
    image: `https://cdn.game.example/items/${number}.png`,
    price: { currency: 'USD', amount: `${number + 1}.99` },
    ...(number % 4 === 0 && { max_purchasable: '10' }),
    ...(number % 10 === 0 && { expiration_time_seconds: '1924988400' }),
  };
}
