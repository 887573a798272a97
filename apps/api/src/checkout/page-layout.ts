import { createHash } from 'node:crypto';
import { PAGE_STYLE } from './page-style.js';

/** HTML that may be sent as it is: what came from outside is escaped in it. */
export interface Page {
  readonly status: number;
  readonly html: string;
}

/**
 * What a browser may do on our pages: run our own script, talk to us, and nothing else. Nobody may put
 * the page in a frame, and the address, which is a credential, is sent to no other site.
 */
export const PAGE_SECURITY: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
    'img-src data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

/**
 * One whole page. Its script goes by `state`, and exchanges `main` when that changes.
 *
 * @param content HTML, escaped where it needs to be.
 */
export function pageOf(state: string, title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}</style>
<script src="/checkout/assets/checkout.js" defer></script>
</head>
<body>
<main data-state="${state}">
${content}
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
