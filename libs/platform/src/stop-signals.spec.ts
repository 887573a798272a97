import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { onStopSignals } from './stop-signals.js';

function listen() {
  const signals = new EventEmitter();
  const [stop, interrupt] = [vi.fn(), vi.fn()];
  let now = 5000;
  onStopSignals({ stop, interrupt, signals, nowMs: () => now });
  return {
    stop,
    interrupt,
    at: (ms: number, name: string) => ((now = 5000 + ms), signals.emit(name)),
  };
}

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('%s begins an orderly stop', (name) => {
  const { stop, interrupt, at } = listen();
  at(0, name);
  expect(stop.mock.calls).toEqual([[name]]);
  expect(interrupt).not.toHaveBeenCalled();
});

it('a signal that is heard twice, as npm passes on what a terminal has sent, is one', () => {
  const { stop, interrupt, at } = listen();
  at(0, 'SIGINT');
  at(3, 'SIGINT');
  at(1000, 'SIGTERM');
  expect([stop.mock.calls.length, interrupt.mock.calls.length]).toEqual([1, 0]);
});

it('a second one that comes later ends at once, whenever the stop began', () => {
  const { stop, interrupt, at } = listen();
  at(0, 'SIGINT');
  at(1001, 'SIGINT');
  expect([stop.mock.calls.length, interrupt.mock.calls.length]).toEqual([1, 1]);
});
