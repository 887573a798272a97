/**
 * `node tools/health-check.mjs`: ends with 0 while the program of this container is ready, and with 1
 * otherwise. It asks `/readyz` at ADMIN_PORT; an image with Node needs nothing else for that.
 */
import process from 'node:process';

const LIMIT_MS = 3_000;

const url = `http://127.0.0.1:${process.env.ADMIN_PORT}/readyz`;
try {
  const { ok } = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
