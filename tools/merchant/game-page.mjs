/** The merchant's game: a page with its players' items, and a button that opens the shop for one. */
import { call } from '../demo.mjs';
import { nameItem } from './catalog.mjs';
import { ToolError } from '../process.mjs';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin-top:2rem}td,th{text-align:start;padding:.4rem;border-bottom:1px solid #8884}
input,button{font:inherit;padding:.5rem .8rem}:root{color-scheme:light dark}`;

/** @param players as `Inventory.list` gives them. */
export function renderGame(players) {
  const rows = players.flatMap(({ userId, items }) =>
    Object.entries(items).map(
      ([id, quantity]) =>
        `<tr><td>${escape(userId)}</td><td>${escape(nameItem(id))}</td><td>${quantity}</td></tr>`,
    ),
  );
  const table = `<table><tr><th>Player</th><th>Item</th><th>Pieces</th></tr>${rows.join('')}</table>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>The game</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style><h1>The game</h1>
<form method="post" action="/shop"><label>Player <input name="player" value="player-1" required></label>
<button>Open the shop</button></form>
${rows.length === 0 ? '<p>No player has anything yet.</p>' : table}</html>`;
}

/** A link into the shop for one player: it opens one session, within five minutes. */
export async function openShop(demo, player) {
  const wanted = JSON.stringify({ user: { id: player } });
  const answer = await call(demo, 'POST', '/sdk/server/webshop-links', wanted);
  const body = await answer.json();
  if (!answer.ok) throw new ToolError(`The link was refused: ${body.message}`, 'refused');
  return body.url;
}

function escape(text) {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
