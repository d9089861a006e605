import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';
import { Vacation } from './vacations.model.js';

const VACATION = { vacation: shown(Vacation) };

export const PLAN_VACATION = verb('planVacation', {
  description:
    'Starts a vacation, or plans one: in games where you are to move the clock stands still, but where vacations are ruled out.',
  answers: VACATION,
});

export const END_VACATION = verb('endVacation', {
  description: 'Ends a vacation: the days begun count. Before its start it is called off, and no day counts.',
  answers: VACATION,
});
