import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createLogger } from './logger.js';
import { createShutdown } from './shutdown.js';

const log = createLogger('test', { level: 'silent' });

function create(limitMs?: number) {
  const signals = new EventEmitter();
  const exit = vi.fn<(code: number) => void>();
  let now = 0;
  const nowMs = () => (now += 2000);
  const options = { log, exit, signals, nowMs, ...(limitMs !== undefined && { limitMs }) };
  return { signals, exit, shutdown: createShutdown(options) };
}

describe('a shutdown', () => {
  it('stops the parts in reverse order, one after the other, and aborts its signal', async () => {
    const { shutdown } = create();
    const stopped: string[] = [];
    shutdown.add('store', () => void stopped.push('store'));
    shutdown.add('server', async () => {
      await Promise.resolve();
      stopped.push('server');
    });
    await expect(shutdown.stop('test')).resolves.toBe(0);
    expect(stopped).toEqual(['server', 'store']);
    expect(shutdown.signal.aborted).toBe(true);
  });

  it('goes on when a part fails, and says so by its exit code', async () => {
    const { shutdown } = create();
    const stop = vi.fn();
    shutdown.add('store', stop as () => void);
    shutdown.add('server', () => Promise.reject(new Error('stuck')));
    await expect(shutdown.stop('test')).resolves.toBe(1);
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it('gives up after its time limit', async () => {
    const { shutdown } = create(10);
    shutdown.add('server', () => new Promise<void>(() => undefined));
    await expect(shutdown.stop('test')).resolves.toBe(1);
  });

  it('runs on a signal and exits with its outcome; a second signal exits at once', async () => {
    const { shutdown, signals, exit } = create();
    let finish: () => void = () => undefined;
    shutdown.add('server', () => new Promise<void>((resolve) => (finish = resolve)));
    signals.emit('SIGTERM');
    expect(exit).not.toHaveBeenCalled();
    signals.emit('SIGINT');
    expect(exit).toHaveBeenLastCalledWith(130);
    finish();
    await shutdown.stop('again');
    await Promise.resolve();
    expect(exit).toHaveBeenLastCalledWith(0);
  });
});
