import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { Vacation } from './vacations.model.js';

const VACATION = { vacation: shown(Vacation, { description: 'The vacation as it is now.' }) };

export const PLAN_VACATION = verb('planVacation', {
  needs: 'games:play',
  description:
    'Start a vacation, or plan one. While you are away your clocks stand still, except in games whose time control excludes vacations.',
  codes: ['INVALID_VACATION', 'VACATION_OVERLAPS', 'VACATION_USED_UP', 'ACCOUNT_CLOSED', 'LIMIT_REACHED'],
  takesKey: true,
  answers: VACATION,
});

export const END_VACATION = verb('endVacation', {
  needs: 'games:play',
  description:
    'End a vacation early; the days that have begun count. A vacation that has not started is called off and uses no days.',
  codes: ['NOT_FOUND', 'VACATION_OVER', 'ACCOUNT_CLOSED'],
  takesKey: true,
  answers: VACATION,
});
