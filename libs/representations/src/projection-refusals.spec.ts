import { expect, it } from 'vitest';
import { sayProjectionRefusal } from './projection-refusals.js';

it('a refused act on a read model is said with its detail, where there is one', () => {
  const detail = 'generation 2: 1 document differs';
  expect(sayProjectionRefusal({ code: 'projection/not_verified', detail })).toEqual({
    reason: 'GENERATION_NOT_VERIFIED',
    message: expect.stringMatching(/^The generation is not verified\. .* \(generation 2: 1 doc/),
  });
  expect(sayProjectionRefusal({ code: 'projection/no_former' })).toEqual({
    reason: 'NO_FORMER_GENERATION',
    message: 'No former generation of this read model is kept. Rebuild it instead.',
  });
});
