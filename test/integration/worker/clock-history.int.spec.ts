import { describeClockHistory } from './clock-history-tests.js';

// Two renewals of two subscriptions, each asked for, requested, captured and taken, and the declined one.
describeClockHistory('two months on a test clock', {
  days: 68.25,
  stepDays: 22,
  leastEvents: 4 * 4,
});
