import { describeClockHistory } from './clock-history-tests.js';

// A year and the grace of what was due then: 12 and 13 renewals, each of four events, and what is declined.
describeClockHistory('a year on a test clock', { days: 368.25, stepDays: 45, leastEvents: 25 * 4 });
