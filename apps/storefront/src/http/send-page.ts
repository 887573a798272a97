import type { FastifyReply } from 'fastify';
import { addVary } from '#nest';
import type { RenderedPage } from '../pages/render-page.js';

/**
 * The permissions of a browser on our pages: run our own script, load our own style, call us, and nothing else. No site
 * may put the page in a frame, and the address, which is a credential, is sent to no other site (rules/storefront 6).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
};

/** The status and the headers of a page, with the permissions of browsers. */
export function setPageHeaders(
  reply: FastifyReply,
  { status, leadsTo, imagesFrom = [] }: Omit<RenderedPage, 'html'>,
): void {
  reply.status(status).headers(PAGE_HEADERS);
  addVary(reply, 'accept-language');
  reply.header('content-security-policy', writePolicy(leadsTo, imagesFrom));
}

function writePolicy(leadsTo: string | undefined, imagesFrom: readonly string[]): string {
  // A form may lead to the gateway's page: browsers look at the target of its redirect, too.
  const target = leadsTo === undefined ? "'self'" : `'self' ${leadsTo}`;
  const images = ['data:', ...imagesFrom].join(' ');
  return [...POLICY, `img-src ${images}`, `form-action ${target}`].join('; ');
}

/** Answers with a page. */
export async function sendPage(reply: FastifyReply, page: RenderedPage): Promise<void> {
  setPageHeaders(reply, page);
  await reply.send(page.html);
}
