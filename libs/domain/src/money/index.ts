export {
  add,
  decimalsOf,
  isCurrency,
  isGreater,
  isPositive,
  type Money,
  money,
  subtract,
  toMajor,
  zero,
} from './money.js';
