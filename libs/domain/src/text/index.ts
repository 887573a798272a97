export { isOneLine, isPlainText } from './text.js';
