export * from './operator-tokens.js';
