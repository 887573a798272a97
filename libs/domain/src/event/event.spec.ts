import { describe, expect, it } from 'vitest';
import { categoryOf, COMMAND_RECORDED, idOf } from './index.js';

describe('the name of a stream', () => {
  it.each([
    ['subscription-sub_01', 'subscription', 'sub_01'],
    ['plan_code-app_1-gold-2', 'plan_code', 'app_1-gold-2'],
    ['ledger', 'ledger', ''],
    ['-x', '', 'x'],
  ])('%s is of category %j and has the id %j', (streamName, category, id) => {
    expect([categoryOf(streamName), idOf(streamName)]).toEqual([category, id]);
  });
});

describe('a keyed command that changed nothing', () => {
  it('leaves an event whose stored name is for good', () => {
    expect(COMMAND_RECORDED).toBe('command.recorded.v1');
  });
});
