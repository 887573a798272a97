export * from './test-clock.js';
