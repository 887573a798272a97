import { expect, it } from 'vitest';
import {
  SANDBOX_METHOD_MEANINGS,
  sandboxMethodTable,
} from '../../apps/api/src/openapi/sandbox-methods.js';
import { SANDBOX_METHODS } from '../../libs/gateway/src/sandbox-methods.js';

it('the document says of each payment method of the sandbox what it does, and of no other', () => {
  expect(Object.keys(SANDBOX_METHOD_MEANINGS)).toEqual([...SANDBOX_METHODS.keys()]);
  for (const method of SANDBOX_METHODS.keys()) {
    expect(sandboxMethodTable()).toContain(`| \`${method}\` | `);
  }
});
