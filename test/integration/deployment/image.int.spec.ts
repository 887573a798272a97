import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listCopies, readStages, ROOT } from './support.js';

const [buildStage = [], lastStage = []] = readStages();
const findWords = (name: string) =>
  lastStage.filter((instruction) => instruction.name === name).map(({ words }) => words.join(' '));

describe('the image', () => {
  it('is built from what is there, and what .dockerignore lets in', () => {
    const ignored = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toContain('*');
    const paths = listCopies(buildStage).flatMap((copied) => copied.paths);
    expect(paths.length).toBeGreaterThan(5);
    for (const copied of paths) {
      expect([copied, existsSync(path.join(ROOT, copied))]).toEqual([copied, true]);
      expect(ignored).toContain(`!${copied}`);
    }
    const letIn = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect([...letIn].sort()).toEqual([...paths].sort());
  });

  it('is made of what its build has: packages, and what is built', () => {
    const copies = listCopies(lastStage);
    expect(copies.map(({ from }) => from)).toEqual(copies.map(() => 'build'));
    const paths = copies.flatMap((copied) => copied.paths);
    expect(paths).toContain('/subledger/dist');
    for (const copied of paths) {
      const here = path.join(ROOT, copied.replace('/subledger/', ''));
      expect([copied, existsSync(here)]).toEqual([copied, true]);
    }
  });

  it('runs as another user than root, and Node alone', () => {
    expect(findWords('USER')).toEqual(['node']);
    expect(findWords('ENTRYPOINT')).toEqual(['["node"]']);
    const [program] = JSON.parse(findWords('CMD')[0] ?? '') as [string];
    expect(existsSync(path.join(ROOT, program))).toBe(true);
  });

  it('asks a program whether it is ready, with Node', async () => {
    const [check = ''] = findWords('HEALTHCHECK');
    const [node, script = ''] = JSON.parse(check.slice(check.indexOf('['))) as string[];
    expect(node).toBe('node');
    expect(findWords('ENV').join(' ')).toMatch(/\bADMIN_PORT=\d+/);
    let status = 200;
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const healthy = await runCheck(script, port);
    status = 503;
    const notReady = await runCheck(script, port);
    server.close();
    await once(server, 'close');
    const gone = await runCheck(script, port);
    expect([healthy, notReady, gone]).toEqual([0, 1, 1]);
    expect(asked).toEqual(['/readyz', '/readyz']);
  });
});

/** @returns the exit code of a health check. */
async function runCheck(script: string, port: number): Promise<number> {
  const env = { PATH: process.env['PATH'] ?? '', ADMIN_PORT: String(port) };
  const child = spawn(process.execPath, [script], { cwd: ROOT, env, stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number];
  return code;
}
