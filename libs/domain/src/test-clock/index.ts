export {
  type TestClock,
  testClockAggregate,
  type TestClockCommand,
  type TestClockEvent,
  testClockNow,
  type TestClockRejection,
} from './test-clock.js';
