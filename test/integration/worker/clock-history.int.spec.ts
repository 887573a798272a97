import { describeClockHistory } from './clock-history-tests.js';

// Three renewals of two subscriptions, each asked for, requested, captured and taken, and what is declined.
describeClockHistory('a season on a test clock', { days: 98.25, stepDays: 24, leastEvents: 6 * 4 });
