import { testModel } from './model-tests.js';

/** The short form of model.long.spec.ts. */
testModel(8, 180_000);
