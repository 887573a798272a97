import { expect, it } from 'vitest';
import { progressLine } from './progress-bar.js';

it.each([
  [0, 4000, '[..............................] 0 %  0 of 4,000 events'],
  [1000, 4000, '[#######.......................] 25 %  1,000 of 4,000 events'],
  [4000, 4000, '[##############################] 100 %  4,000 of 4,000 events'],
  [0, 0, '[##############################] 100 %  0 of 0 events'],
])('%i of %i', (done, total, line) => {
  expect(progressLine(done, total)).toBe(line);
});
