export {
  addHours,
  addMilliseconds,
  addPeriods,
  fitsCalendar,
  fromMilliseconds,
  laterOf,
  parseInstant,
  type Period,
  PERIOD_UNITS,
  type PeriodUnit,
  toMilliseconds,
} from './calendar.js';
