import { describeClockHistory } from './clock-history-tests.js';

// A year and its last grace: 12 and 13 renewals, each of four events, and the declined ones.
describeClockHistory('a year on a test clock', { days: 368.25, stepDays: 45, leastEvents: 25 * 4 });
