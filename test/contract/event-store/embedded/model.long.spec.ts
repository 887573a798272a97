import { testModel } from './model-tests.js';

/** The short form, model.int.spec.ts, is other random histories each time, and few of them. */
testModel(200, 900_000);
