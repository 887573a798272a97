export * from './checkout.process.js';
export * from './renewal.process.js';
export * from './steps.js';
