export {
  addHours,
  addMilliseconds,
  addPeriods,
  fitsCalendar,
  fromMilliseconds,
  type Interval,
  laterInstant,
  parseInstant,
  type Period,
  PERIOD_UNITS,
  type PeriodUnit,
  toMilliseconds,
} from './calendar.js';
