export * from './webhook-endpoint.js';
